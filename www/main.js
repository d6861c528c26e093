const core = /** @type {HTMLOutputElement} */ (document.getElementById('core'));
const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
worker.onmessage = (event) => {
  core.value = event.data;
};
