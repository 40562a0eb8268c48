// Says of each webhook that a line of the standard input holds, {"headers": {…}, "body": "<base64>"}, which libraries verify it.
import { createInterface } from "node:readline";
import standardwebhooks from "standardwebhooks";
import { Webhook as Svix } from "svix";

const secret = process.argv[2];
const libraries = {
  standardwebhooks: new standardwebhooks.Webhook(secret),
  svix: new Svix(secret),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { headers, body } = JSON.parse(line);
  const verdicts = Object.entries(libraries).map(([name, library]) => {
    try {
      library.verify(Buffer.from(body, "base64").toString("utf8"), headers);
      return `${name}: verified`;
    } catch (refusal) {
      return `${name}: ${refusal.message}`;
    }
  });
  console.log(verdicts.join(", "));
}
