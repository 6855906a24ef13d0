/** The shape of a file of flow tests: one schema for our reader and for editors (`flows/flow-test.schema.json`). */
import Type from 'typebox'
import { anything, count, duration, map, NAME, named, optional, text } from '../flow/read/schema-words.ts'
import { EVENT_KEY, EVENT_NAME } from '../ports/flows/flow-events.ts'

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/

const oneOf = <const T extends string>(choices: readonly T[], description: string) =>
  Type.Enum([...choices], { description, hint: `one of ${choices.join(', ')}` })

const reply = map(
  {
    status: optional(count(100, 599, 'HTTP status.', { default: 200 })),
    body: optional(anything('The answer, sent as JSON.')),
    text: optional(text('The answer as it is, instead of `body`: for what is not JSON.')),
    fails: optional(
      oneOf(['timeout', 'network', 'tooLarge', 'forbidden', 'unavailable'], 'No answer comes, for this reason.'),
    ),
    after: optional(duration('How long the answer takes; longer than `timeout` of the step is a time-out.')),
  },
  'The answer to a request.',
  { definition: 'reply' },
)

const REQUEST = '^(GET|POST|PUT) [^\\s]+$'
const request = (description: string) =>
  Type.String({
    pattern: REQUEST,
    description,
    hint: 'a method and a path, such as GET /CaseInfo/4711',
    examples: ['GET /CaseInfo/4711'],
  })

const texts = (description: string, hint: string) =>
  // Editors show the words of the alternative that is written.
  Type.Union([text(description), Type.Array(text(description), { minItems: 1, maxItems: 50, description })], {
    description,
    hint,
  })

const given = (description: string) =>
  map(
    {
      caller: optional(
        Type.String({
          pattern: '^([+]\\d{5,15}|withheld)$',
          description: 'Number of the caller, or `withheld`.',
          hint: 'an international number in quotes, "+37255512345", or withheld',
          default: '+37255512345',
        }),
      ),
      called: optional(text('The number that was called.', { default: '+3726000000' })),
      time: optional(
        Type.String({
          description: 'When the call begins, with its offset.',
          hint: 'an instant such as 2026-03-02T10:00:00+02:00',
          isRight: (value: string) => INSTANT.test(value) && !Number.isNaN(Date.parse(value)),
          default: '2026-03-02T10:00:00+02:00',
          examples: ['2026-03-02T10:00:00+02:00'],
        }),
      ),
      language: optional(
        Type.String({
          pattern: '^[a-z]{2}(-[A-Z]{2})?$',
          description: 'Of the number.',
          hint: 'a language such as en',
        }),
      ),
      task: optional(
        named(
          '^[A-Za-z]{1,60}$',
          'a member such as systemLookupCode',
          anything('Its value.'),
          'The matched call task.',
        ),
      ),
      env: optional(
        named(
          '^[A-Za-z_][A-Za-z0-9_]{0,59}$',
          'the name of an address',
          text('The address.'),
          'Addresses of `${env.…}`; `${env.name}` is https://name.test when it is not given.',
        ),
      ),
      http: optional(
        named(
          REQUEST,
          'a method and a path, such as GET /CaseInfo/4711',
          Type.Union([reply, Type.Array(reply, { minItems: 1, maxItems: 20 })], {
            description: 'The answer; of a list one after another, and then its last again.',
            hint: 'an answer such as {status: 200, body: {…}}, or a list of them',
          }),
          'Request → answer. A request without an answer here fails the test.',
        ),
      ),
      sms: optional(
        oneOf(['sent', 'noMobile', 'undelivered', 'timeout', 'failed'], 'What comes of text messages. Default: sent.'),
      ),
      doNotCall: optional(oneOf(['done', 'noNumber', 'failed'], 'What the stop list answers. Default: done.')),
      queue: optional(
        named('^[a-z][a-z0-9-]{0,39}$', 'a team', oneOf(['full', 'closed'], 'Refuses callers.'), 'Teams that refuse.'),
      ),
      position: optional(count(0, 1_000, 'Place in the queue; 0 while a phone rings for the caller.', { default: 1 })),
      expectedWait: optional(duration('The wait that the queue expects; not known when absent.')),
      callback: optional(oneOf(['refused'], 'No caller is called back: a stop list, closed hours, nobody at work.')),
      events: optional(oneOf(['none'], 'No event can reach a waiting caller: an installation without a database.')),
      record: optional(oneOf(['failed'], 'No message can be recorded.')),
      transfer: optional(
        named(
          '^.{1,320}$',
          'a target, such as "+4533123456" or sip:reception@office',
          oneOf(['busy', 'noAnswer', 'refused', 'failed'], 'What comes of a transfer to it.'),
          'Target → what comes of a transfer. Others answer after 3 s, and talk for 30 s.',
        ),
      ),
      unplayable: optional(texts('Prompts with these words cannot be played.', 'words, or a list of them')),
    },
    description,
    { definition: 'given' },
  )

const eventName = (description: string) =>
  Type.String({
    pattern: EVENT_NAME,
    description,
    hint: 'the name of an event: letters, digits, dots and dashes',
    examples: ['payment.completed'],
  })
const eventKey = (description: string) =>
  Type.String({ pattern: EVENT_KEY, description, hint: 'a key in quotes: 1 to 100 characters without spaces' })

const sms = map(
  {
    contains: optional(texts('Words that the text must contain.', 'words, or a list of them')),
    to: optional(text('The receiver.')),
  },
  'A text message.',
)

const expected = map(
  {
    http: optional(request('This request is sent.')),
    body: optional(anything('Of the request: members it must have.')),
    sms: optional(
      Type.Union([text('Words it contains.'), sms], {
        description: 'A text message is sent.',
        hint: 'words, or {contains, to}',
      }),
    ),
    queue: optional(text('The caller waits for this team.')),
    popup: optional(text("What the agent's screen opens.")),
    whisper: optional(text('Words that the agent hears first.')),
    priority: optional(count(-100, 100, 'Priority in the queue.')),
    skills: optional(
      Type.Array(text('A skill.'), { description: 'What the agent must be able to do.', hint: 'a list of skills' }),
    ),
    recording: optional(text('Whether the talk is recorded: off, consent or always.')),
    recordingConsent: optional(Type.Boolean({ description: 'Whether the caller agreed.', hint: 'true or false' })),
    callback: optional(text('The place in the queue of this team is kept, and the caller will be called back.')),
    doNotCall: optional(text('The number is stopped, for this reason.')),
    message: optional(
      map(
        {
          team: optional(text('The team that it is for.')),
          seconds: optional(count(1, 300, 'How long the caller spoke.')),
        },
        'The caller has left a message.',
      ),
    ),
    event: optional(eventName('The caller waits for this event.')),
    key: optional(eventKey('Whom the event is about.')),
    transfer: optional(text('The caller is brought there.', { examples: ['+4533123456'] })),
    mode: optional(oneOf(['attended', 'blind'], 'How.')),
    callerId: optional(text('The number that is shown there.')),
  },
  'Exactly one of http (with body), sms, queue (with popup, whisper, priority …), callback, doNotCall, message, ' +
    'event (with key), transfer (with mode, callerId).',
)

const event = map(
  {
    name: eventName('Its name.'),
    key: eventKey('Whom it is about.'),
    data: optional(Type.Record(Type.String(), Type.Unknown(), { description: 'What the flow reads of it.' })),
  },
  'An event that another system posts.',
)

const spoken = map(
  {
    says: text('Digits, in words or figures; anything else is not understood.'),
    confidence: optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        default: 1,
        description: 'How sure the engine is; digits below 0.8 are read back.',
        hint: 'a number from 0 to 1',
      }),
    ),
  },
  'What the caller says, and how well it is heard.',
)

const verb = map(
  {
    hear: optional(
      texts('Waits until these words are spoken; of a list, all in one prompt.', 'words, or a list of them'),
    ),
    press: optional(
      Type.String({
        pattern: '^[0-9*#]{1,64}$',
        description: 'Keys, one every 200 ms; over a prompt this is barge-in.',
        hint: 'keys in quotes, "4711#"',
        examples: ['4711#'],
      }),
    ),
    wait: optional(duration('The caller does nothing for so long.')),
    say: optional(
      duration('The caller speaks for so long: after the tone of a record step, or over a prompt with bargeInByVoice.'),
    ),
    speak: optional(
      Type.Union([text('What is said.'), spoken], {
        description: 'What the caller says to a gather that listens; it waits until one does.',
        hint: 'digits in quotes, "4711", or {says, confidence}',
        examples: ['4711', { says: 'four seven one one', confidence: 0.5 }],
      }),
    ),
    expect: optional(expected),
    agent: optional(oneOf(['answers', 'leaves', 'lost'], 'An agent of the team, or the loss of their phone.')),
    event: optional(event),
  },
  'One action: exactly one of hear, press, wait, say, speak, expect, agent, event; or the word hangup or crash.',
)

/** `ask`, and `identify.ask` in a subflow. */
const STEP = '^[a-zA-Z][A-Za-z0-9-]{0,59}(\\.[a-zA-Z][A-Za-z0-9-]{0,59}){0,3}$'

const ending = map(
  {
    path: optional(
      Type.Array(Type.String({ pattern: STEP, hint: 'the name of a step' }), {
        minItems: 1,
        maxItems: 500,
        description: 'All steps of the call, in order; `identify.ask` is a step of the subflow of `identify`.',
        hint: 'a list of steps',
      }),
    ),
    marks: optional(
      Type.Array(text('A mark.'), { maxItems: 100, description: 'All marks, in any order.', hint: 'a list of marks' }),
    ),
    outcome: optional(text('How the call is counted.')),
    activity: optional(
      named('^[A-Za-z][A-Za-z0-9_]{0,59}$', 'a field', text('Its value.'), 'Fields of the record of the call.'),
    ),
    texts: optional(count(0, 100, 'How many text messages were sent.')),
    requests: optional(count(0, 1_000, 'How many requests were sent.')),
    shorterThan: optional(duration('The call is shorter.')),
    longerThan: optional(duration('The call is longer.')),
  },
  'What is true when the call is over.',
)

export const flowTestFile = map(
  {
    flow: Type.String({
      pattern: NAME,
      description: 'The flow; its file stands beside this one.',
      hint: 'the name of a flow',
    }),
    given: optional(given('For every test of this file; a test adds to it.')),
    tests: Type.Array(
      map(
        {
          test: text('What it shows, as a sentence.'),
          given: optional(given('The world of this call.')),
          call: Type.Array(
            Type.Union([verb, Type.String({ pattern: '^(hangup|crash)$', hint: 'hangup or crash' })], {
              hint: 'an action such as {hear: …}, or hangup, or crash',
            }),
            { minItems: 1, maxItems: 200, description: 'What the caller does, in order.', hint: 'a list of actions' },
          ),
          // biome-ignore lint/suspicious/noThenProperty: a word of the test language, never a promise
          then: optional(ending),
        },
        'One call.',
        { definition: 'test' },
      ),
      { minItems: 1, maxItems: 500, description: 'The calls.', hint: 'a list of tests' },
    ),
  },
  'Tests of a flow',
  { hint: 'a map with flow and tests' },
)

/** A file with a `given` alone; a file of tests is one too. */
export const givenFile = map(
  {
    flow: optional(anything('Of a file of tests; not read.')),
    given: given('The world of the call.'),
    tests: optional(anything('Of a file of tests; not read.')),
  },
  'The world of a call',
  { hint: 'a map with given' },
)

export type FlowTestFile = Type.Static<typeof flowTestFile>
export type RawTest = FlowTestFile['tests'][number]
export type RawGiven = Type.Static<ReturnType<typeof given>>
export type RawReply = Type.Static<typeof reply>
export type RawExpected = Type.Static<typeof expected>
export type RawVerb = Type.Static<typeof verb>
export type Ending = Type.Static<typeof ending>
