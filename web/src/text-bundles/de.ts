import actionReasons from '../locales/de/action-reasons.json';
import actionTitles from '../locales/de/action-titles.json';
import events from '../locales/de/events.json';
import frame from '../locales/de/frame.json';
import kit from '../locales/de/kit.json';
import listing from '../locales/de/listing.json';
import offline from '../locales/de/offline.json';
import overview from '../locales/de/overview.json';
import palette from '../locales/de/palette.json';
import periods from '../locales/de/periods.json';

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
