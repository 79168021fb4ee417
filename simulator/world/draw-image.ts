import { crc32, deflateSync } from 'node:zlib';
import { hashText } from './hash.ts';

interface Size {
  width: number;
  height: number;
}

type Color = readonly [red: number, green: number, blue: number];

/**
 * Draws an icon or a screenshot as a PNG, from its name alone:
 * `{kind}-{app}-{number}-{revision}`.
 */
export function drawImage(name: string, size: Size): Buffer {
  const [kind, app = '', number = '0', revision = '0'] = /^(\w+)-(.*)-(\d+)-(\d+)$/
    .exec(name)!
    .slice(1);
  const hue = hashText(app) % 360;
  const seed = hashText(`${app} ${number} ${revision}`);
  const palette = [
    fromHue(hue, 0.55, 0.42),
    fromHue(hue, 0.55, 0.52),
    fromHue(hue + 40, 0.7, 0.7),
    fromHue(hue + 200, 0.65, 0.6),
    [255, 255, 255],
    [236, 239, 244],
    [198, 205, 216],
    fromHue(seed % 360, 0.6, 0.58),
  ] as const;
  const colorAt = kind === 'icon' ? drawIcon(hashText(app)) : drawScreenshot(seed);
  const pixels = Buffer.alloc((size.width + 1) * size.height);
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++)
      pixels[y * (size.width + 1) + x + 1] = colorAt(x / size.width, y / size.height);
  return encodePng(size, palette, pixels);
}

/** A disc and a ring on two shades. Coordinates are parts of the width and the height. */
function drawIcon(seed: number) {
  const [cx, cy] = [0.35 + (seed % 31) / 100, 0.35 + ((seed >>> 5) % 31) / 100];
  return (x: number, y: number): number => {
    const distance = Math.hypot(x - cx, y - cy);
    if (distance < 0.17) return 4;
    if (Math.abs(distance - 0.29) < 0.045) return seed % 2 === 0 ? 2 : 3;
    return x + y > 1 ? 1 : 0;
  };
}

/** Two lines of a caption above a phone with a heading, a picture and rows. */
function drawScreenshot(seed: number) {
  const within = (value: number, from: number, to: number) => value >= from && value < to;
  return (x: number, y: number): number => {
    if (within(y, 0.06, 0.085) && within(x, 0.15, 0.85 - (seed % 7) / 50)) return 4;
    if (within(y, 0.105, 0.125) && within(x, 0.25, 0.75 - (seed % 5) / 50)) return 2;
    if (!within(x, 0.1, 0.9) || y < 0.17) return y > 0.6 ? 1 : 0;
    if (!within(x, 0.12, 0.88) || y < 0.18) return 6;
    if (y < 0.25) return within(x, 0.18, 0.5) && within(y, 0.21, 0.23) ? 7 : 4;
    if (y < 0.27 + ((seed >>> 3) % 20) / 100) return within(x, 0.18, 0.82) ? 7 : 4;
    const row = (y * 14) % 1;
    if (!within(row, 0.25, 0.75)) return 4;
    return within(x, 0.18, 0.26) ? 3 : within(x, 0.3, 0.7 - (Math.floor(y * 14) % 3) / 10) ? 6 : 5;
  };
}

function fromHue(hue: number, saturation: number, lightness: number): Color {
  const a = saturation * Math.min(lightness, 1 - lightness);
  const channel = (n: number) => {
    const k = (n + (hue % 360) / 30) % 12;
    return Math.round(255 * (lightness - a * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

/** One byte a pixel, an index into the palette; each line begins with a filter of 0. */
function encodePng({ width, height }: Size, palette: readonly Color[], pixels: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flat())),
    chunk('IDAT', deflateSync(pixels, { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const around = Buffer.alloc(8);
  around.writeUInt32BE(data.length, 0);
  around.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
}
