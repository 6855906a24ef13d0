/** The shape of prompts and steps, kind by kind (flow-language.md 3.1, 3.2). */
import Type from 'typebox'
import { EVENT_NAME } from '../../ports/flows/flow-events.ts'
import { prompt, segment } from './schema-prompt.ts'
import { queue, teamName } from './schema-queue.ts'
import { subflow } from './schema-subflow.ts'
import { transfer } from './schema-transfer.ts'
import {
  anything,
  count,
  duration,
  LANGUAGE,
  map,
  NAME,
  named,
  optional,
  stepName,
  text,
  VARIABLE,
  variables,
  yesOrNo,
} from './schema-words.ts'

const reprompts = (description: string) =>
  Type.Union([text('Words to speak.'), segment, Type.Array(prompt('For one try.'), { minItems: 1, maxItems: 10 })], {
    description,
    hint: 'a prompt, or a list of prompts: one for each further try',
    examples: ['I did not hear any keys.', ['I did not hear any keys.', 'Please use the keys of your phone.']],
  })

const reprompt = map(
  {
    noInput: optional(
      reprompts('Before the prompt, when no key was pressed. A list is used by try; its last entry repeats.'),
    ),
    invalid: optional(
      reprompts('Before the prompt, when the entry did not fit. A list is used by try; its last entry repeats.'),
    ),
  },
  'Spoken before the prompt of a further try.',
  { definition: 'reprompt' },
)

export const timing = {
  firstDigitTimeout: optional(duration('How long to wait for the first key, after the prompt.', { default: '5s' })),
  interDigitTimeout: optional(
    duration('How long to wait for each further key. From the first key on, only this runs.', { default: '3s' }),
  ),
  tries: optional(count(1, 10, 'How often the caller may try.', { default: 3 })),
  bargeIn: optional(yesOrNo('A key stops the prompt and counts as the first digit.', { default: true })),
}

const gather = map(
  {
    prompt: prompt('Asks for the digits.'),
    digits: Type.Union(
      [
        count(1, 32, 'Exactly this many digits.'),
        map(
          { min: count(1, 32, 'Fewest digits.'), max: count(1, 32, 'Most digits; the entry ends there.') },
          'From min to max digits.',
        ),
      ],
      {
        description: 'How many digits.',
        hint: 'a number of digits, or {min: 3, max: 10}',
        examples: [4, { min: 3, max: 10 }],
      },
    ),
    finish: optional(
      Type.String({
        pattern: '^[0-9*#]?$',
        default: '#',
        description: 'Key that ends the entry; never part of it. "" for none.',
        hint: 'one key in quotes, such as "#", or "" for none',
      }),
    ),
    pattern: optional(
      text('What the whole entry must match: digits, [1-5], \\d, {2,4}, (a|b).', { examples: ['[1-5]'] }),
    ),
    confirm: optional(prompt('Reads the entry back: 1 is yes, 2 is again.')),
    reprompt: optional(reprompt),
    by: optional(
      Type.Array(Type.Enum(['keys', 'speech'], { hint: 'keys or speech' }), {
        minItems: 1,
        maxItems: 2,
        description:
          'How the caller may answer: on the keypad, or also by saying the digits one by one. A key always wins; ' +
          'what was not heard well is read back. Never for secrets. Default: keys.',
        hint: '[keys], or [keys, speech]',
        examples: [['keys', 'speech']],
      }),
    ),
    secret: optional(
      yesOrNo('Digits are masked in traces and recordings, and no speech server gets them.', { default: false }),
    ),
    ...timing,
  },
  'Plays a prompt and collects digits. Gives the digits, as text.',
)

const { interDigitTimeout: _, ...menuTiming } = timing

const menu = map(
  {
    prompt: prompt('Names the choices.'),
    keys: named(
      '^[0-9*#]$',
      'one key in quotes, "0" to "9", "*" or "#"',
      stepName('Where this key leads.'),
      'Key → step.',
    ),
    reprompt: optional(reprompt),
    ...menuTiming,
  },
  'Plays a prompt and goes on by one key.',
)

const url = (method: string) =>
  text(
    `Sends a ${method} request. The host stands here or comes from \${env.…}; a/b in another value is sent as a%2Fb.`,
    {
      examples: ['${env.integrator}/CaseInfo/${caseNumber}'],
    },
  )
const headers = named(
  '^[A-Za-z0-9-]{1,60}$',
  'the name of a header',
  text('Value; may hold `${secret.…}`.'),
  'Request headers.',
)

const http = map(
  {
    get: optional(url('GET')),
    lookup: optional(
      text(
        'Asks the external system of the call about the case of this number, with GET, at the lookup address that is ' +
          'configured for the system.',
        { examples: ['${caseNumber}'] },
      ),
    ),
    post: optional(url('POST')),
    put: optional(url('PUT')),
    headers: optional(headers),
    auth: optional(text('Authorization header.', { examples: ['Bearer ${secret.caseInfo}'] })),
    body: optional(anything('JSON; texts in it may hold values. "${x}" alone keeps the type of x.')),
    timeout: optional(duration('For each try.', { default: '4s' })),
    retry: optional(count(0, 3, 'Further tries; GET only, after a network error, 502, 503 or 504.', { default: 1 })),
    filler: optional(prompt('Spoken when the answer takes longer than 1.5 s.')),
    expect: optional(
      map(
        {
          required: optional(
            Type.Array(text('A member.'), {
              maxItems: 100,
              description: 'Members the answer must have; null is allowed.',
              hint: 'a list of members',
            }),
          ),
          match: optional(
            named(
              '^.{1,100}$',
              'a member of the answer',
              text('The value it must repeat.'),
              'Member → value. An answer about another case is no answer.',
            ),
          ),
        },
        'What an answer must have to be believed; otherwise the step ends with `malformed`.',
      ),
    ),
  },
  'Asks another system. Gives the parsed answer.',
)

const branchCase = map(
  {
    when: optional(text('JSONPath condition on the variable `in`.', { examples: ['$[?(@.closedDate == null)]'] })),
    has: optional(text('Path of a value that must be there and not null.', { examples: ['task.systemLookupCode'] })),
    open: optional(text('Name of opening hours.')),
    same: optional(
      Type.Array(text('Path of a value.'), {
        minItems: 2,
        maxItems: 2,
        description:
          'Two values that must be there, not empty and equal as texts, such as what was typed and an answer.',
        examples: [['typed', 'caseInfo.secondFactor']],
        hint: 'two paths',
      }),
    ),
    next: stepName('Where this case leads.'),
  },
  'One case: exactly one of when, has, open, same.',
)

const branch = map(
  {
    in: optional(text('Variable that `when` asks about; all variables when absent.', { examples: ['caseInfo'] })),
    cases: Type.Array(branchCase, {
      minItems: 1,
      maxItems: 100,
      description: 'The first that holds decides.',
      hint: 'a list of cases',
    }),
    else: stepName('Where the call goes when no case holds; also on every doubtful answer.'),
  },
  'Decides by data or time.',
)

const smsText = text('The message. Characters outside GSM-7 (õ, š, ž …) leave 70 instead of 160 in each part.')

const sms = map(
  {
    text: Type.Union([smsText, named(LANGUAGE, 'a language such as en', smsText, 'Language → message.')], {
      description: 'The message, or one for each language of the flow: { en: …, da: … }.',
      hint: 'text, or a map of languages to texts',
      examples: ['Case ${caseNumber} is closed.'],
    }),
    to: optional(text('Receiver; the caller when absent.', { examples: ['${caller.number}'] })),
    awaitDelivery: optional(
      duration('How long the caller waits for the delivery report of the provider; 1s to 2m. Without it nobody waits.'),
    ),
  },
  'Sends a text message, once. Gives its id.',
)

const doNotCall = map(
  { reason: text('What the caller asked for; the stop list keeps it.', { examples: ['pressed 9 in the menu'] }) },
  "Puts the caller's number on the stop list: no campaign calls it again.",
)

const wait = map(
  {
    event: Type.String({
      pattern: EVENT_NAME,
      description: 'The name of the event, as the other system posts it.',
      hint: 'the name of an event: letters, digits, dots and dashes',
      examples: ['payment.completed'],
    }),
    key: text('Whom it is about; an event of another key is not for this caller.', { examples: ['${caseNumber}'] }),
    for: duration('How long the caller may wait.', { examples: ['3m'] }),
    hold: optional(prompt('Spoken at the beginning and every 30 s, with music in between; without it, music alone.')),
  },
  'Holds the caller until another system posts this event (POST /svcpbx/flowevents). Gives its data.',
)

const record = map(
  {
    prompt: prompt('Spoken before the tone.'),
    max: optional(duration('How long a message may be; whole seconds, at most 5m.', { default: '2m' })),
    silence: optional(duration('Silence that ends the message; whole seconds, at most 30s.', { default: '5s' })),
    finish: optional(
      Type.String({
        pattern: '^[0-9*#]?$',
        default: '#',
        description: 'Key that ends the message, and before it the prompt; "" for none.',
        hint: 'one key in quotes, or ""',
      }),
    ),
    consent: optional(
      text('Whether the caller agrees to be recorded: `true`, all else ends the step with `declined`.', {
        examples: ['${agreed}'],
      }),
    ),
    team: optional(teamName),
  },
  'Records a message of the caller after a tone. Gives its url and its seconds.',
)

const hangup = map(
  {
    say: optional(prompt('The last words.')),
    outcome: optional(
      Type.String({
        pattern: NAME,
        description: 'How the call is counted; in a subflow, what the step gives as `outcome`.',
        hint: 'a name: letters, digits and dashes',
      }),
    ),
  },
  'Ends the call, or the subflow.',
)

/** One step: the kinds stand side by side, see `schema.ts`. */
export const step = map(
  {
    about: optional(text('A note for readers.')),
    play: optional(prompt('Speaks. Keys pressed meanwhile count for the next step that asks.')),
    gather: optional(gather),
    menu: optional(menu),
    http: optional(http),
    branch: optional(branch),
    set: optional(variables('Variables to set; texts may hold values.')),
    sms: optional(sms),
    doNotCall: optional(doNotCall),
    wait: optional(wait),
    queue: optional(queue),
    record: optional(record),
    transfer: optional(transfer),
    subflow: optional(subflow),
    hangup: optional(
      Type.Union([Type.Null(), hangup], {
        description: 'Ends the call, or the subflow.',
        hint: 'empty, or {say, outcome}',
      }),
    ),
    next: optional(stepName('Where the call goes when the step is done.')),
    on: optional(
      named(
        '^[A-Za-z0-9]{1,20}$',
        'the name of a failure',
        stepName('Where this failure leads.'),
        'Where named failures go; `failed` catches those not named. Then `onError`, then an apology.',
      ),
    ),
    as: optional(
      Type.String({
        pattern: VARIABLE,
        description: 'Variable that receives the result.',
        hint: 'the name of a variable: letters, digits and _',
      }),
    ),
    mark: optional(
      Type.String({
        pattern: NAME,
        description: 'Milestone, counted when the step is done.',
        hint: 'a name: letters, digits and dashes',
      }),
    ),
    bargeInByVoice: optional(
      yesOrNo("The caller's voice stops the prompts of a play, gather, menu or queue step.", { default: false }),
    ),
    limit: optional(count(1, 1_000, 'Most visits in one call; the next one goes to `on.limit`.')),
  },
  'One instruction: exactly one kind (play, gather, menu, http, branch, set, sms, doNotCall, wait, queue, record, ' +
    'transfer, subflow, hangup).',
  { definition: 'step', hint: 'a step such as {play: Hello., next: bye}' },
)
