// What a page does to embed the widget: its settings, a queue for calls before the loader is there, then the calls.
window.candorSettings = { title: "Parlato help" };
window.candor ??= Object.assign((...call) => window.candor.q.push(call), { q: [] });

document.addEventListener("click", (event) => {
  const question = event.target.closest("[data-ask]")?.dataset.ask;
  if (question) window.candor("ask", question);
});
