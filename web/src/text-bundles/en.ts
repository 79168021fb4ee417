import actionReasons from '../locales/en/action-reasons.json';
import actionTitles from '../locales/en/action-titles.json';
import events from '../locales/en/events.json';
import frame from '../locales/en/frame.json';
import kit from '../locales/en/kit.json';
import palette from '../locales/en/palette.json';

export const textBundle = {
  ...frame,
  ...kit,
  ...palette,
  ...events,
  ...actionTitles,
  ...actionReasons,
};
