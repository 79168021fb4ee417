import type { SimulatedResponse } from '../http/response.ts';
import type { SimListing } from '../world/listing.ts';
import type { World } from '../world/world.ts';
import type { FaultRule } from './fault-injector.ts';

/** Facts that some apps do not have, with the form of a listing without them. */
const without = {
  subtitle: { subtitle: '' },
  version: { version: '' },
  releaseNotes: { releaseNotes: '' },
  rating: { rating: null, ratingCount: null, histogram: [0, 0, 0, 0, 0] },
} satisfies Record<string, Partial<SimListing>>;

const isFact = (field: string | undefined): field is keyof typeof without =>
  field !== undefined && Object.hasOwn(without, field);

/** True for a rule that names what it changes. */
export function isFieldFault({ fault, field }: FaultRule): boolean {
  return fault === 'field-null' ? isFact(field) : fault === 'field-renamed' && !!field;
}

/** A world in which no listing has a fact. */
export function withoutFact(world: World, field: string): World {
  if (!isFact(field)) return world;
  const listing: World['listing'] = (app, storefront) => ({
    ...world.listing(app, storefront),
    ...without[field],
  });
  return { ...world, listing };
}

/** A response with another name for a key of its JSON, which may be escaped as HTML. */
export function renameField(made: SimulatedResponse, field: string): SimulatedResponse {
  const body = made.body
    .toString()
    .replaceAll(`"${field}":`, `"${field}V2":`)
    .replaceAll(`&quot;${field}&quot;:`, `&quot;${field}V2&quot;:`);
  return { status: made.status, headers: made.headers, body: Buffer.from(body) };
}
