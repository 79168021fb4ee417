import { nameOtherDevice } from '#stores/profiles.ts';
import type { Keyword } from '#web/api.ts';

/** `todo list-us`, or `todo list-us-ipad` if the device is not the first one of the store. */
export function nameKeywordFile({ phrase, country, device }: Keyword): string {
  return [phrase, country, ...(nameOtherDevice(device) === null ? [] : [device])].join('-');
}
