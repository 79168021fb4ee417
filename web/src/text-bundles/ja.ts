import actionReasons from '../locales/ja/action-reasons.json';
import actionTitles from '../locales/ja/action-titles.json';
import events from '../locales/ja/events.json';
import frame from '../locales/ja/frame.json';
import kit from '../locales/ja/kit.json';
import palette from '../locales/ja/palette.json';

export const textBundle = {
  ...frame,
  ...kit,
  ...palette,
  ...events,
  ...actionTitles,
  ...actionReasons,
};
