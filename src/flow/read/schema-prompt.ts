/** The shape of what is spoken. */
import Type from 'typebox'
import { duration, map, optional, text } from './schema-words.ts'

export const segment = map(
  {
    say: optional(text('Words to speak; `${…}` inside them is filled in.')),
    prompt: optional(text('A prompt of the catalogue (`prompts`), in the language of the call.')),
    file: optional(
      Type.String({
        pattern: '^[A-Za-z0-9_][A-Za-z0-9_/-]{0,199}[.](wav|mp3|ogg)$',
        description: 'A recording, relative to the folder of the flow: WAV, MP3 or Ogg, up to 5 minutes and 20 MB.',
        examples: ['sounds/welcome.mp3'],
        hint: 'a path such as sounds/welcome.mp3: letters, digits, "_", "-" and "/", ending in .wav, .mp3 or .ogg',
      }),
    ),
    digits: optional(text('A value to read one by one: a case number, a reference.', { examples: ['${caseNumber}'] })),
    number: optional(text('A value to read as a number.', { examples: ['${count}'] })),
    money: optional(text('An amount to read; needs `currency`.', { examples: ['${caseInfo.remainingAmount}'] })),
    currency: optional(text('Currency of `money`, ISO 4217.', { examples: ['EUR'] })),
    date: optional(text('A date to read, ISO 8601.', { examples: ['${caseInfo.closedDate}'] })),
    pause: optional(duration('Silence.')),
  },
  'One piece of a prompt: exactly one of say, prompt, file, digits, number, money (with currency), date, pause.',
  { definition: 'segment' },
)

export const prompt = (description: string) =>
  Type.Union(
    [
      text('Words to speak.'),
      segment,
      Type.Array(Type.Union([text('Words to speak.'), segment]), { minItems: 1, maxItems: 50 }),
    ],
    {
      description,
      hint: 'words to speak, a map such as {digits: "${caseNumber}"}, or a list of these',
      definition: 'prompt',
      examples: ['Welcome.', ['Case', { digits: '${caseNumber}' }]],
    },
  )
