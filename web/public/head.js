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

  var script = document.currentScript;
  function preload(rel, file) {
    var link = document.createElement('link');
    link.rel = rel;
    if (rel === 'preload') {
      link.as = 'fetch';
      link.crossOrigin = 'anonymous';
    }
    link.href = new URL(file, script.src).href;
    document.head.append(link);
  }
  // What each page of a signed-in reader asks for first. Public pages are those of src/main.tsx.
  var isPublic =
    /\/(sign-in|sign-up|invite|forgot-password|reset-password|confirm-email|report)$/.test(
      location.pathname,
    );
  if (!isPublic && readStored('toprung.signed-in') === '1')
    ['auth/session', 'settings', 'apps?limit=500&include=summary'].forEach(function (path) {
      preload('preload', 'api/backend/' + path);
    });

  // The build notes the file of each language here. The language is chosen as by src/i18n.ts.
  var files = script.dataset;
  var chosen = String(readStored('toprung.language')).replace(/"/g, '');
  var known = [chosen].concat(navigator.languages, 'en').map(function (tag) {
    return files[tag.split('-')[0].toLowerCase()];
  });
  var file = known.filter(Boolean)[0];
  if (file) preload('modulepreload', file);
})();
