import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Listed } from './guide.ts';
import { countryArgument, dayArgument } from './argument-schemas.ts';

const idText = z
  .string()
  .regex(/^\d{1,10}$/)
  .describe('Of the app, from list_apps');
const say = (text: string) => ({
  messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
});
const honest =
  'Say which days or keywords were not checked; never guess a position. Quote the figures ' +
  'behind your conclusions.';

interface PromptTemplate {
  /**
   * Required tools: without one of them the prompt is not offered. Write tools are optional and
   * omitted from the text.
   */
  needs: readonly string[];
  add(server: McpServer, listed: Listed): void;
}

const promptTemplates: readonly PromptTemplate[] = [
  {
    needs: ['get_app_overview', 'get_metadata_timeline', 'list_actions', 'list_reviews'],
    add: addWeeklyReview,
  },
  {
    needs: [
      'get_app_overview',
      'compare_periods',
      'get_rankings',
      'get_search_results',
      'get_metadata_timeline',
      'list_reviews',
    ],
    add: addDropInvestigation,
  },
  {
    needs: ['check_keyword_field', 'list_keywords', 'compare_competitors', 'suggest_keywords'],
    add: addFieldRewrite,
  },
  {
    needs: ['get_budget', 'list_keywords', 'suggest_keywords', 'compare_competitors'],
    add: addCountryLaunch,
  },
];

/** Prompt templates. They name only tools, so that they work wherever the tools do. */
export function addPrompts(server: McpServer, listed: Listed): void {
  for (const { needs, add } of promptTemplates)
    if (needs.every((tool) => listed.has(tool))) add(server, listed);
}

function addWeeklyReview(server: McpServer): void {
  const about = {
    title: 'Weekly review',
    description: 'What moved this week, why, and what to do next.',
    argsSchema: z.object({ appId: idText }),
  };
  server.registerPrompt('weekly_review', about, ({ appId }) =>
    say(
      `Review the last week of app ${appId}. Call get_app_overview with days 7, ` +
        'get_metadata_timeline for the same days, list_actions with state open, and ' +
        'list_reviews with rating 1 and 2. ' +
        'Report in this order: the one-sentence verdict; what rose and fell and by how much; ' +
        `what changed in our listing or a competitor's on those days; what reviewers ` +
        'complain about; the three next steps with the keyword or field each is about. ' +
        `${honest}`,
    ),
  );
}

function addDropInvestigation(server: McpServer): void {
  const argsSchema = z.object({
    appId: idText,
    from: dayArgument.describe('Day before the drop').optional(),
    to: dayArgument.describe('Day after').optional(),
  });
  const about = {
    title: 'Why did we drop?',
    description: 'Finds what happened around a drop in positions.',
    argsSchema,
  };
  server.registerPrompt('why_did_we_drop', about, ({ appId, from, to }) => {
    return say(
      `Find out why app ${appId} lost positions ${formatDays(from, to)}. Call ` +
        'compare_periods, then get_rankings for the keywords that lost most to see the very ' +
        'day, get_search_results for two or three of them to see who entered, ' +
        'get_metadata_timeline for changes of ours and of competitors and for runs that ' +
        'failed, and list_reviews. Separate what is shown from what is likely, rule out days ' +
        'that were not checked first, and give the cheapest test of each explanation. ' +
        `${honest}`,
    );
  });
}

function formatDays(from: string | undefined, to: string | undefined): string {
  if (from && to) return `between ${from} and ${to}`;
  const range = from ? `since ${from}` : to ? `in the 14 days until ${to}` : 'in the last 14 days';
  return `${range} (find the day with get_app_overview and get_rankings)`;
}

const saveAfterAsking = '; ask before you call set_keyword_field with its locale';

function addFieldRewrite(server: McpServer, listed: Listed): void {
  const argsSchema = z.object({ appId: idText, country: countryArgument.optional() });
  const about = {
    title: 'Rewrite the keyword field',
    description: 'A better keyword field of at most 100 characters (iOS).',
    argsSchema,
  };
  server.registerPrompt('rewrite_keyword_field', about, ({ appId, country: market }) =>
    say(
      `Write a better keyword field for iOS app ${appId} in ` +
        `${market ?? 'its primary country'}. Call check_keyword_field ` +
        `${market ? `with the locale that ${market} shows first and ` : ''}without a text to see ` +
        'the saved one and its locale, list_keywords sorted by -opportunity, ' +
        'compare_competitors for gaps, and suggest_keywords with includeStore false. ' +
        'Rules: at most 100 characters, words separated by commas without spaces, no word of ' +
        'the title or subtitle, no plural of a word that is there, no brand names of others. ' +
        'Try candidates with check_keyword_field and its text until nothing is wasted. Show ' +
        'the old and the new field and what each change is ' +
        `for${listed.has('set_keyword_field') ? saveAfterAsking : ''}.`,
    ),
  );
}

function addCountryLaunch(server: McpServer, listed: Listed): void {
  const argsSchema = z.object({ appId: idText, country: countryArgument });
  const about = {
    title: 'Launch in a new country',
    description: 'Keywords for a new country, with their daily cost.',
    argsSchema,
  };
  server.registerPrompt('launch_new_country', about, ({ appId, country: market }) =>
    say(
      `Prepare app ${appId} for ${market}. Call get_budget for what is free, list_keywords ` +
        `for what we follow elsewhere, suggest_keywords with country ${market} (it asks the ` +
        'store up to three times), and compare_competitors. ' +
        `Propose at most 30 phrases in the language of ${market}, each with its reason. ` +
        `${
          listed.has('add_keywords')
            ? 'Call add_keywords with preview true and state what a day will cost; add them only ' +
              'after I agree. '
            : ''
        }${honest}`,
    ),
  );
}
