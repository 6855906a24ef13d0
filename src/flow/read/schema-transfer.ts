/** The shape of `transfer` steps. */
import Type from 'typebox'
import { duration, map, named, optional, text } from './schema-words.ts'

const target = (description: string) =>
  text(description, { examples: ['+4533123456', '+453312${extension}', 'sip:reception@office'] })

export const transfer = map(
  {
    to: Type.Union(
      [
        target('An international number, or sip:user@host with a host of a trunk of the configuration.'),
        map(
          {
            by: text('Path of the value that chooses.', { examples: ['caseInfo.caseCategory'] }),
            map: named('^.{1,100}$', 'a value', target('A target without values.'), 'Value → target.'),
            else: target('A target without values, for every other value.'),
          },
          'The target chosen by a value.',
        ),
      ],
      { description: 'Whom the caller is brought to.', hint: 'a number in quotes, a sip: address, or {by, map, else}' },
    ),
    mode: optional(
      Type.Enum(['attended', 'blind'], {
        description:
          '`attended`: we stay in the call, and the flow goes on after the talk. `blind`: the network of ' +
          'the caller takes over, and the call is over for us.',
        hint: 'attended or blind',
        default: 'attended',
      }),
    ),
    timeout: optional(duration('How long the other telephone may ring; 5s to 2m.', { default: '30s' })),
    callerId: optional(text('The number that is shown: one of the trunk. Its first one when absent.')),
  },
  'Brings the caller to a telephone outside of the call centre, if the rules of the dialer allow it.',
)
