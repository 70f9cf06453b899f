// Starts the console: first somebody signs in, then there is a desk.
import "./desk-app.js";
import { Api } from "./server.js";
import { Session } from "./session.js";

const CONTENT = "/console/content"; // an address to hand out, which means a view of the console

if (location.pathname === CONTENT) history.replaceState(null, "", `/console${location.hash || "#/content"}`);
const session = new Session();
await session.look();
const app = /** @type {import("./desk-app.js").DeskApp} */ (document.querySelector("desk-app"));
app.attach(new Api(session));
