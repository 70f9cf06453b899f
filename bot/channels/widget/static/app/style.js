// The looks of what is loaded on demand.

/** @type {Map<string, Promise<unknown>>} */
const loading = new Map();

/** @param {string} name a style sheet beside this module @returns {Promise<unknown>} settled when it can be seen */
export function style(name) {
  const found = loading.get(name) ?? load(name);
  loading.set(name, found);
  return found;
}

/** @param {string} name */
function load(name) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL(name, import.meta.url).href;
  const settled = new Promise((resolve, reject) => {
    link.onload = resolve;
    link.onerror = () => {
      link.remove();
      loading.delete(name);
      reject(new Error(name));
    };
  });
  document.head.append(link);
  return settled;
}
