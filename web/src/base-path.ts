/** The path of PUBLIC_URL, such as `/aso`, which the gateway writes into the document; else ''. */
export const basePath = document.documentElement.dataset.basePath ?? '';

/** A page's address without the origin, as browser and history need it. */
export const withBasePath = (path: string): string => `${basePath}${path}`;

/** Where every call of the API begins. */
export const apiPath = `${basePath}/api/backend`;

/** The public address of the web origin, as this page was reached. */
export const publicUrl = `${location.origin}${basePath}`;

/** Somebody who opens the gateway itself, without the path, is sent to the same page below it. */
export function openBelowBasePath(): void {
  const { pathname, search, hash } = location;
  const isBelow = `${pathname}/`.startsWith(`${basePath}/`);
  if (!isBelow) location.replace(withBasePath(pathname + search + hash));
}
