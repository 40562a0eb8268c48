import { shortened } from "./lib/text.js";

export function perMail({ payload, headers }) {
  const mail = payload.messages[0];
  if (mail.spam) return null;
  return { kind: "agent", message: `${payload.messages.length} mail: ${shortened(mail.subject)}` };
}
