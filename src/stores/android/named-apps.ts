const pairedName = /^[a-z][\w.]{1,149}$/i;
const linkStart = '/store/apps/details?id=';
const link = /^\/store\/apps\/details\?id=([\w.]{1,150})$/i;

/**
 * The package names in Play's data, in order: each app is a pair of its name and 7, with a link to
 * its page. The values are visited, because writing them as one text and searching that takes eight
 * times as long: a page of 20 apps has 160 KB.
 */
export function listNamedApps(data: unknown): string[] {
  const names: string[] = [];
  visit(data, names);
  return names;
}

function visit(value: unknown, names: string[]): void {
  if (typeof value === 'string') {
    const linked = value.length > linkStart.length && value[0] === '/' ? link.exec(value) : null;
    if (linked !== null) names.push(linked[1]!);
  } else if (Array.isArray(value)) {
    const [first] = value;
    if (value.length === 2 && value[1] === 7 && typeof first === 'string' && pairedName.test(first))
      names.push(first);
    for (const item of value) visit(item, names);
  } else if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) visit(item, names);
  }
}
