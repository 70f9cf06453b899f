// Signs the demo customer in and out. The service vouches for them here; on a real site the site's own server does.
(() => {
  "use strict";
  const KEPT = "candor-demo"; // for as long as the tab lives, so that a reload does not sign out
  const button = document.querySelector("[data-sign-in]");
  const told = document.querySelector("[data-sign-in-told]");
  let isIn = false;
  let isBusy = false;

  const show = (/** @type {string} */ text) => {
    button.textContent = isIn ? "Sign out" : "Sign in as a demo customer";
    told.textContent = text;
  };

  const keep = () => {
    if (isIn) sessionStorage.setItem(KEPT, "in");
    else sessionStorage.removeItem(KEPT);
  };

  const proof = async () => {
    const answer = await fetch("/demo/identity", { method: "POST" });
    if (!answer.ok) throw new Error(`${answer.status}`);
    return (await answer.json()).identity;
  };

  const signIn = async () => {
    const identity = await proof(); // before the name below is looked up: the loader may take it over meanwhile
    window.candor("identify", identity);
    isIn = true;
    show("You are signed in as a demo customer. Ask about your lessons.");
  };

  const signOut = () => {
    window.candor("shutdown");
    window.candor("boot");
    isIn = false;
    show("You are signed out.");
  };

  const press = async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      await (isIn ? signOut() : signIn());
    } catch {
      show("The sign-in did not work. Try again in a moment.");
    }
    keep();
    isBusy = false;
  };

  button.addEventListener("click", press);
  addEventListener("candor:error", (event) => {
    if (event.detail.code !== "identity_refused") return;
    isIn = false;
    keep();
    show("The assistant did not accept the sign-in. Try again.");
  });
  if (sessionStorage.getItem(KEPT)) press();
})();
