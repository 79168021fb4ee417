import account from './account.json' with { type: 'json' };
import actions from './actions.json' with { type: 'json' };
import alerts from './alerts.json' with { type: 'json' };
import capacity from './capacity.json' with { type: 'json' };
import categoryRanks from './category-ranks.json' with { type: 'json' };
import competitors from './competitors.json' with { type: 'json' };
import data from './data.json' with { type: 'json' };
import digest from './digest.json' with { type: 'json' };
import discover from './discover.json' with { type: 'json' };
import distribution from './distribution.json' with { type: 'json' };
import frame from './frame.json' with { type: 'json' };
import keyword from './keyword.json' with { type: 'json' };
import keywordField from './keyword-field.json' with { type: 'json' };
import keywords from './keywords.json' with { type: 'json' };
import kit from './kit.json' with { type: 'json' };
import members from './members.json' with { type: 'json' };
import methodology from './methodology.json' with { type: 'json' };
import overview from './overview.json' with { type: 'json' };
import palette from './palette.json' with { type: 'json' };
import results from './results.json' with { type: 'json' };
import reviews from './reviews.json' with { type: 'json' };
import settings from './settings.json' with { type: 'json' };
import timeline from './timeline.json' with { type: 'json' };
import welcome from './welcome.json' with { type: 'json' };

/** All texts of a language: one file a noun, flat keys that begin with it. */
export default {
  ...account,
  ...actions,
  ...alerts,
  ...capacity,
  ...categoryRanks,
  ...competitors,
  ...data,
  ...digest,
  ...discover,
  ...distribution,
  ...frame,
  ...keyword,
  ...keywordField,
  ...keywords,
  ...kit,
  ...members,
  ...methodology,
  ...overview,
  ...palette,
  ...results,
  ...reviews,
  ...settings,
  ...timeline,
  ...welcome,
};
