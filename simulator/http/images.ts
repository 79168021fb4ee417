import { hashText } from '../world/hash.ts';
import { respond, type SimulatedResponse } from './response.ts';

/** `/_sim/icon/{id}.svg` and `/_sim/shot/{id}-{n}.svg`: the pictures of all stores. */
export function handleImage(path: string): SimulatedResponse | null {
  const match = /^\/_sim\/(icon|shot)\/([\w.-]{1,200})\.svg$/.exec(path);
  if (!match) return null;
  const [, sort, id = ''] = match;
  const hue = hashText(id) % 360;
  const [width, height] = sort === 'icon' ? [512, 512] : [392, 696];
  const shapes = [1, 2, 3].map((index) => {
    const spot = hashText(id, index);
    return (
      `<circle cx="${spot % width}" cy="${(spot >>> 9) % height}" ` +
      `r="${60 + ((spot >>> 18) % 140)}" fill="hsl(${(hue + index * 40) % 360} 70% 65%)" ` +
      'fill-opacity=".8"/>'
    );
  });
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><rect ` +
    `width="${width}" height="${height}" fill="hsl(${hue} 65% 45%)"/>${shapes.join('')}</svg>`;
  const made = respond(200, 'svg', svg);
  made.headers['cache-control'] = 'public, max-age=86400';
  made.headers['access-control-allow-origin'] = '*';
  made.headers['cross-origin-resource-policy'] = 'cross-origin';
  return made;
}
