import type { z } from 'zod';
import type { ConfigurableEventType, EventType } from '../choices.ts';
import type { Language } from '../languages.ts';

/** A position with the depth that was examined; null stands for not checked. */
export type FormatPosition = (
  pair: { position: number | null; depth: number } | null | undefined,
) => string;

/** The dashboard's texts by name. Plurals end in _one, _other and so on, as i18next has them. */
type DashboardTexts = Record<string, string> & {
  /** The name of the event type. */
  title: string;
};

/** The definition of one event type. */
interface EventDefinition<
  Type extends EventType,
  Data extends z.ZodType,
  Rule,
  English extends DashboardTexts,
> {
  type: Type;
  /** One or two sentences for the API's documentation. */
  description: string;
  /** The shape of `data`. */
  data: Data;
  sample: z.input<Data>;
  /** An address of the API that the sample links to. */
  samplePath: string;
  /** The event belongs to the workspace; every other one belongs to an app. */
  isOfWorkspace?: true;
  /** The fields of an alert rule. Their defaults make the default rule. */
  rule: Rule;
  /** Chat messages, feeds and emails. */
  message: {
    /** Follows the name of the app: `Lumen Habits (iOS): a keyword fell`. */
    title: string;
    line: (data: z.input<Data>, formatPosition: FormatPosition) => string;
    /** Further lines, and the number of those that `data` leaves out. */
    list?: (data: z.input<Data>) => { lines: readonly string[]; more: number };
  };
  texts: { en: English } & Record<Exclude<Language, 'en'>, DashboardTexts>;
}

/** Only the types of `configurableEventTypes` have a rule. */
type RuleOf<Type extends EventType> = Type extends ConfigurableEventType
  ? z.ZodObject<{ event: z.ZodLiteral<Type>; enabled: z.ZodType }>
  : null;

export function defineEvent<
  Type extends EventType,
  Data extends z.ZodType,
  Rule extends RuleOf<Type>,
  const English extends DashboardTexts,
>(
  definition: EventDefinition<Type, Data, Rule, English>,
): EventDefinition<Type, Data, Rule, English> {
  return definition;
}
