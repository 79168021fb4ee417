import { deflateSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestClock } from '#lib/clock.ts';
import { drawImage } from '#simulator/world/draw-image.ts';
import { createEgressPool, createImageSource } from '#stores/index.ts';
import { imageIdentityOf } from '#stores/profiles.ts';
import { readImage } from '#stores/read-image.ts';
import { startStoreServer } from './store-server.ts';
import { createUnlimitedPacer } from './unlimited-pacer.ts';

let server: Awaited<ReturnType<typeof startStoreServer>>;
const { pacer, counts, refusals } = createUnlimitedPacer();
const egress = createEgressPool({ proxies: [] });
beforeAll(async () => {
  server = await startStoreServer();
});
afterAll(async () => {
  await egress.close();
  await server.close();
});

const picture = drawImage('icon-7-0-0', { width: 128, height: 128 });
const sendAs =
  (body: Buffer | string, type = 'image/png') =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': type }).end(body);
  };
const read = (send: (response: ServerResponse) => void, signal = new AbortController().signal) => {
  server.respond((_request, response) => send(response));
  const clock = new TestClock('2026-07-15T12:00:00Z');
  const source = createImageSource({ baseUrl: server.baseUrl, pacer, egress, clock });
  return source.read(
    { store: 'ios', kind: 'icon', identity: '/image/thumb/a/AppIcon.png' },
    signal,
  );
};

describe('a picture of a store', () => {
  test('is requested from one host, in the size of its kind, and counted', async () => {
    const before = counts.requests;
    const image = await read(sendAs(picture));
    expect(image).toMatchObject({ type: 'image/png', width: 128, height: 128 });
    expect(image.bytes.equals(picture)).toBe(true);
    expect(server.asked.map(({ url }) => url)).toEqual([
      '/is1-ssl.mzstatic.com/image/thumb/a/AppIcon.png/128x128bb.jpg',
    ]);
    expect(counts.requests).toBe(before + 1);
  });

  test('is what its bytes say, whatever the server calls them', async () => {
    expect((await read(sendAs(picture, 'text/html'))).type).toBe('image/png');
  });

  test.each([
    ['a page', '<!doctype html><script>alert(1)</script>'],
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['a GIF', 'GIF89a\x01\0\x01\0'],
    ['nothing', ''],
    ['the beginning of a PNG', picture.subarray(0, 20)],
    ['a PNG of 60,000 pixels a side', drawnAs(60_000, 60_000)],
    ['a PNG without pixels', drawnAs(0, 128)],
  ])('is not %s', async (_name, body) => {
    await expect(read(sendAs(body))).rejects.toMatchObject({ marker: 'image' });
  });

  test('of 50 MB is refused, also when it is compressed', async () => {
    const huge = Buffer.concat([picture, Buffer.alloc(50_000_000)]);
    await expect(read(sendAs(huge))).rejects.toMatchObject({ marker: 'oversized' });
    const packed = (response: ServerResponse) => {
      response.writeHead(200, { 'content-encoding': 'deflate' }).end(deflateSync(huge));
    };
    await expect(read(packed)).rejects.toMatchObject({ failure: 'unavailable' });
  });

  test('that never ends is refused at the limit', async () => {
    const endless = (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'image/png' }).write(picture);
      const fill = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', fill);
      fill();
    };
    await expect(read(endless)).rejects.toMatchObject({ marker: 'oversized' });
  });

  test('is not looked for where a redirect leads', async () => {
    const redirect = (response: ServerResponse) => {
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end();
    };
    await expect(read(redirect)).rejects.toMatchObject({ failure: 'unreadable' });
    expect(server.asked).toHaveLength(1);
  });

  test.each([
    [404, 'not_offered'],
    [410, 'unreadable'],
    [500, 'unavailable'],
    [403, 'refused'],
    [429, 'refused'],
  ])('that the server rejects with %i is %s', async (status, failure) => {
    await expect(read((response) => response.writeHead(status).end())).rejects.toMatchObject({
      failure,
    });
  });

  test('slows its server down after a refusal, and no endpoint counts as failed', async () => {
    refusals.length = 0;
    await read((response) => response.writeHead(429, { 'retry-after': '30' }).end()).catch(
      () => {},
    );
    await read((response) => response.destroy()).catch(() => {});
    expect(refusals).toMatchObject([{ marker: '429', retryAfterMs: 30_000 }]);
    expect(egress.health()).toEqual([
      { name: 'direct', consecutiveFailures: 0, unavailableForMs: 0 },
    ]);
  });

  test('ends with its caller', async () => {
    const stop = new AbortController();
    const reading = read(() => stop.abort(new Error('stopped')), stop.signal);
    await expect(reading).rejects.toThrow('stopped');
  });
});

describe('the address of a picture', () => {
  test('identifies it on every server and in every size', () => {
    const art = 'image/thumb/Purple/v4/a/AppIcon.png';
    expect(
      [
        `is1-ssl.mzstatic.com/${art}/512x512bb.jpg`,
        `is4-ssl.mzstatic.com/${art}/60x60bb-70.png`,
      ].map((address) => imageIdentityOf('ios', `https://${address}`)),
    ).toEqual([`/${art}`, `/${art}`]);
    expect(
      ['', '=s180-rw', '=w240-h480'].map((end) =>
        imageIdentityOf('android', `https://play-lh.googleusercontent.com/aB_3-x${end}`),
      ),
    ).toEqual(['/aB_3-x', '/aB_3-x', '/aB_3-x']);
  });

  test.each([
    'http://is1-ssl.mzstatic.com/a/1x1bb.jpg',
    'https://is1-ssl.mzstatic.com:8443/a/1x1bb.jpg',
    'https://is1-ssl.mzstatic.com@10.0.0.1/a',
    'https://user@is1-ssl.mzstatic.com/a',
    'https://is1-ssl.mzstatic.com.example.org/a',
    'https://169.254.169.254/a',
    'https://play-lh.googleusercontent.com/a',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    '/a/b',
    `https://is1-ssl.mzstatic.com/${'a'.repeat(1_000)}`,
    // Each of these characters becomes nine.
    `https://is1-ssl.mzstatic.com/${'\u{1112}'.repeat(300)}/512x512bb.jpg`,
    'https://is1-ssl.mzstatic.com/512x512bb.jpg',
  ])('of the iOS store is not %s', (address) => {
    expect(imageIdentityOf('ios', address)).toBe(null);
  });
});

describe('the size of a picture', () => {
  const webp = (kind: string, at: number, facts: number[]) => {
    const bytes = Buffer.alloc(40);
    bytes.write(`RIFF____WEBP${kind}`, 'latin1');
    bytes.set(facts, at);
    return bytes;
  };
  test.each([
    ['JPEG', Buffer.from('ffd8ffe000104a46494600010100000100010000ffc00011080190012c03', 'hex')],
    ['WebP, lossy', webp('VP8 ', 23, [0x9d, 0x01, 0x2a, 0x2c, 0x01, 0x90, 0x01])],
    ['WebP, lossless', webp('VP8L', 20, [0x2f, 0x2b, 0xc1, 0x63, 0x00])],
    ['WebP, extended', webp('VP8X', 24, [0x2b, 0x01, 0x00, 0x8f, 0x01, 0x00])],
  ])('is read from a %s', (_name, bytes) => {
    expect(readImage(bytes)).toMatchObject({ width: 300, height: 400 });
  });

  test('is not found in a JPEG whose segments lead nowhere', () => {
    const segments = Buffer.concat([
      Buffer.from('ffd8', 'hex'),
      ...Array.from({ length: 1_000 }, () => Buffer.from('ffe00002', 'hex')),
    ]);
    expect(readImage(segments)).toBe(null);
  });
});

/** The picture with other figures in its header. */
function drawnAs(width: number, height: number): Buffer {
  const changed = Buffer.from(picture);
  changed.writeUInt32BE(width, 16);
  changed.writeUInt32BE(height, 20);
  return changed;
}
