/**
 * The shape of a flow file: one schema for our reader, for editors (`flows/flow.schema.json`) and for the types
 * below (flow-language.md 3.2, appendix A). The kinds of a step stand side by side: with `oneOf`, editors complain that
 * "multiple schemas match", so "exactly one kind" is a rule of the linter.
 */
import Type from 'typebox'
import { prompt, type segment } from './schema-prompt.ts'
import { step, timing } from './schema-steps.ts'
import { count, duration, LANGUAGE, map, NAME, named, optional, stepName, text, variables } from './schema-words.ts'

const DAYS = '(mon|tue|wed|thu|fri|sat|sun)'
const RANGE = '[0-2][0-9]:[0-5][0-9]-[0-2][0-9]:[0-5][0-9]'

const hours = map(
  {
    timezone: text('IANA time zone.', { examples: ['Europe/Tallinn'], hint: 'a time zone such as Europe/Tallinn' }),
    weekly: named(
      `^${DAYS}(-${DAYS})?$`,
      'a day or a range of days, mon or mon-fri',
      Type.String({
        pattern: `^${RANGE}(, ?${RANGE})*$`,
        description: 'Ranges of the day.',
        hint: '"09:00-17:00", or several: "09:00-12:00, 13:00-17:00"',
        examples: ['09:00-17:00'],
      }),
      'Days → hours. Days that are not named are closed.',
    ),
    holidays: optional(
      Type.Array(Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$', hint: 'a date in quotes, "2026-12-25"' }), {
        maxItems: 500,
        description: 'Closed dates.',
        hint: 'a list of dates',
      }),
    ),
  },
  'Opening hours of a place, in its own time.',
)

const language = Type.String({ pattern: LANGUAGE, hint: 'a language such as en or en-GB' })

export const flowFile = map(
  {
    flow: Type.String({
      pattern: NAME,
      description: 'Name of the flow; numbers of the configuration refer to it.',
      hint: 'a name: letters, digits and dashes',
    }),
    title: optional(text('What people call it.')),
    languages: optional(
      Type.Array(language, {
        minItems: 1,
        maxItems: 20,
        description: 'The first one is the default.',
        hint: 'a list of languages, [en, et]',
        default: ['en'],
      }),
    ),
    start: stepName('The step every call enters first.'),
    onError: optional(stepName('Where every failure goes that no step handles.')),
    vars: optional(variables('Variables and the values they begin with.')),
    prompts: optional(
      named(
        NAME,
        'a name: letters, digits and dashes',
        named(LANGUAGE, 'a language such as en', prompt('The wording in this language.'), 'Language → wording.'),
        'Prompts by name and language.',
      ),
    ),
    hours: optional(named(NAME, 'a name: letters, digits and dashes', hours, 'Opening hours by name.')),
    defaults: optional(
      map(
        {
          gather: optional(map(timing, 'For every gather and menu.')),
          http: optional(
            map(
              { timeout: optional(duration('For each try.')), retry: optional(count(0, 3, 'Further tries of a GET.')) },
              'For every http step.',
            ),
          ),
        },
        'What steps of this flow use when they say nothing else.',
      ),
    ),
    limits: optional(
      map(
        {
          steps: optional(count(1, 10_000, 'Most steps of one call.', { default: 200 })),
          duration: optional(duration('Longest call, up to the last step entered.', { default: '15m' })),
        },
        'What one call may use up before it is ended with an apology.',
      ),
    ),
    budget: optional(
      map(
        {
          person: duration(
            'Longest way from the answer to a `queue` step: what the caller hears and types, estimated.',
            {
              examples: ['60s'],
            },
          ),
        },
        "The caller's patience, held by `flow check`.",
      ),
    ),
    activity: optional(
      named(
        '^[A-Za-z][A-Za-z0-9_]{0,59}$',
        'the name of a field',
        text('Its value.'),
        "Fields written to the call's record at its end.",
      ),
    ),
    steps: named(NAME, 'the name of a step: letters, digits and dashes', step, 'The steps by name.'),
    onHangup: optional(
      Type.Array(step, {
        maxItems: 20,
        description: 'http, sms, doNotCall and set steps run after the caller has gone.',
        hint: 'a list of steps',
      }),
    ),
  },
  'A call flow',
  { hint: 'a map with flow, start and steps' },
)

export type FlowFile = Type.Static<typeof flowFile>
export type RawStep = Type.Static<typeof step>
export type RawPrompt = Type.Static<ReturnType<typeof prompt>>
export type RawSegment = Type.Static<typeof segment>
export type RawHours = Type.Static<typeof hours>
export type RawTiming = Type.Static<Type.TObject<typeof timing>>
