// Runs before the first paint, so that a dark page never flashes white, and before the entry, so
// that its texts load beside it. It is a separate file because the CSP forbids inline scripts.
(function () {
  function readStored(key) {
    try {
      return localStorage.getItem(key);
    } catch (error) {
      // Storage may be blocked: the system's wishes are followed.
      return null;
    }
  }
  var scheme = readStored('toprung.color-scheme') || 'auto';
  var dark =
    scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');

  // The build notes the file of each language here. The language is chosen as by src/i18n.ts.
  var script = document.currentScript;
  var chosen = String(readStored('toprung.language')).replace(/"/g, '');
  var file = [chosen]
    .concat(navigator.languages, 'en')
    .map(function (tag) {
      return script.dataset[tag.split('-')[0].toLowerCase()];
    })
    .filter(Boolean)[0];
  if (!file) return;
  var link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = new URL(file, script.src).href;
  document.head.append(link);
})();
