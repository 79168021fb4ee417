import { drawImage } from '../world/draw-image.ts';
import { BoundedCache } from '../world/bounded-cache.ts';
import { respond, type SimulatedResponse } from './response.ts';

const drawn = new BoundedCache<Buffer>(500);

/** `…/{name}/{w}x{h}bb.jpg` and `/{name}=w{w}-h{h}-rw`; a PNG in every case. */
export function handleImage(path: string): SimulatedResponse {
  const found =
    /\/((icon|screenshot)-[\w.]{1,200}-\d{1,4}-\d{1,4})(?:\/|=w)(\d{1,4})(?:x|-h)(\d{1,4})/;
  const [, name = '', kind, width, height] = found.exec(path) ?? [];
  if (kind === undefined) return respond(404, 'text', '');
  const [full, fullHeight] = kind === 'icon' ? [512, 512] : [1_290, 2_796];
  const scale = Math.min(Number(width) / full, Number(height) / fullHeight, 1);
  const size = { width: Math.round(full * scale), height: Math.round(fullHeight * scale) };
  if (size.width < 1) return respond(400, 'text', '');
  const key = `${name} ${size.width}`;
  const made = respond(
    200,
    'png',
    drawn.take(key, () => drawImage(name, size)),
  );
  made.headers['cache-control'] = 'public, max-age=86400';
  return made;
}
