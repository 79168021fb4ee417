import actionReasons from '../locales/ja/action-reasons.json';
import actionTitles from '../locales/ja/action-titles.json';
import events from '../locales/ja/events.json';
import frame from '../locales/ja/frame.json';
import kit from '../locales/ja/kit.json';
import listing from '../locales/ja/listing.json';
import offline from '../locales/ja/offline.json';
import overview from '../locales/ja/overview.json';
import palette from '../locales/ja/palette.json';
import periods from '../locales/ja/periods.json';

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
