// What follows when the server does not believe whom the page names: rare, so that it is loaded when it happens.
import { remember } from "./memory.js";

/** The customer is unknown, and may write all the same; the page learns of it. @param {import("./client.js").Client} client */
export function doubt(client) {
  const { session, transcript } = client;
  session.identity = undefined;
  remember("subject", null);
  client.complain({ code: "identity_refused", message: "" });
  // Nothing is begun for somebody unknown before they write.
  if (!transcript.sending.length) throw new Error("nobody is known");
  return session.open();
}
