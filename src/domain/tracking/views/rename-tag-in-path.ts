/** Pages whose parameter `tag` is a tag of keywords; that of reviews is another. */
const pagesWithTag = /^\/apps\/\d+\/(keywords|competitors)\/?$/;

/** The path of a dashboard page, with the tag in its filter renamed. Other paths stay. */
export function renameTagInPath(path: string, from: string, to: string): string {
  const [, page, query, hash] = /^([^?#]*)\?([^#]*)(.*)$/u.exec(path) ?? [];
  if (page === undefined || !pagesWithTag.test(page)) return path;
  const search = new URLSearchParams(query);
  const [tag, ...others] = search.getAll('tag');
  if (tag === undefined || others.length > 0 || readValue(tag) !== from) return path;
  search.set('tag', writeValue(to));
  return `${page}?${search.toString()}${hash}`;
}

// The router of the dashboard reads values as JSON, and others as text.
function readValue(written: string): string | undefined {
  const value = parseJson(written);
  if (value === undefined) return written;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

const writeValue = (text: string): string =>
  parseJson(text) === undefined ? text : JSON.stringify(text);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
