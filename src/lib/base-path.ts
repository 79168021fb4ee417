/** The path of PUBLIC_URL, such as `/aso`; empty when the product has a host of its own. */
export const basePathOf = (publicUrl: string | null): string =>
  publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/$/, '');

/** The address without the path, which a reverse proxy may have removed already. */
export function removeBasePath(url: string, basePath: string): string {
  const path = basePath !== '' && url.startsWith(basePath) ? url.slice(basePath.length) : null;
  if (path === null || !/^([/?]|$)/.test(path)) return url;
  return path.startsWith('/') ? path : `/${path}`;
}
