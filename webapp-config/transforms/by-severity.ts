// An example: alerts of low severity are dropped, grave ones make the agent think harder, the rest stay as the templates
// made them. Copy it to hooks/transforms/ in the home and name it in a mapping:
//
//   transform: {module: by-severity.ts}

interface Alert {
  severity?: string;
  labels?: { severity?: string };
}

interface Call {
  payload: Alert;
  action: { message: string };
}

const GRAVE = ["critical", "fatal", "page"];
const SLIGHT = ["info", "debug", "none"];

export default function ({ payload, action }: Call) {
  const severity = (payload.severity ?? payload.labels?.severity ?? "").toLowerCase();
  if (SLIGHT.includes(severity)) {
    return null;
  }
  if (GRAVE.includes(severity)) {
    return { message: `[${severity}] ${action.message}`, thinking: "high", wakeMode: "now" };
  }
  return undefined;
}
