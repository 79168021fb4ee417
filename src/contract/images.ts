import { z } from 'zod';
import { imageKinds, imageTypes } from '#stores/profiles.ts';
import { storeName } from './common.ts';
import { operationsOf } from './operation.ts';

const imageKind = z.enum(imageKinds).meta({
  id: 'ImageKind',
  description: 'icon: at most 128 pixels a side. screenshot: at most 400 by 800 pixels.',
});

export const images = operationsOf({
  'GET /images': {
    summary: 'Get an icon or a screenshot',
    description:
      'Returns the picture of a listing, by the `iconUrl` or one of the `screenshotUrls` of any ' +
      'response, as a small PNG, JPEG or WebP. The server fetches it once from the store: until ' +
      'then the status is 202 without a body. A picture never changes at its address, so clients ' +
      'may keep it for ever. It does not count in the limits of plans.',
    rateClass: 'read',
    isUncounted: true,
    readOnlyToken: true,
    raw: true,
    contentTypes: imageTypes,
    isTagged: true,
    query: z.strictObject({
      store: storeName,
      kind: imageKind.default('icon'),
      url: z.string().min(1).max(1_000),
    }),
    responses: { 200: z.unknown(), 202: z.void() },
  },
});
