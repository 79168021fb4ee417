import actionReasons from '../locales/en/action-reasons.json';
import actionTitles from '../locales/en/action-titles.json';
import events from '../locales/en/events.json';
import frame from '../locales/en/frame.json';
import kit from '../locales/en/kit.json';
import listing from '../locales/en/listing.json';
import offline from '../locales/en/offline.json';
import overview from '../locales/en/overview.json';
import palette from '../locales/en/palette.json';
import periods from '../locales/en/periods.json';

export const textBundle = {
  ...frame,
  ...kit,
  ...palette,
  ...overview,
  ...periods,
  ...listing,
  ...offline,
  ...events,
  ...actionTitles,
  ...actionReasons,
};
