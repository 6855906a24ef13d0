/** The shape of `queue` steps. */
import Type from 'typebox'
import { prompt } from './schema-prompt.ts'
import { count, duration, map, named, optional, stepName, text, yesOrNo } from './schema-words.ts'

/** A team, as flows name it. */
export const teamName = Type.String({
  pattern: '^[a-z][a-z0-9-]{0,39}$',
  description: 'A team of the configuration.',
  hint: 'the name of a team',
})

export const queue = map(
  {
    team: Type.Union(
      [
        teamName,
        map(
          {
            by: text('Path of the value that chooses.', { examples: ['caseInfo.caseCategory'] }),
            map: named('^.{1,100}$', 'a value', teamName, 'Value → team.'),
            else: teamName,
          },
          'The team chosen by a value.',
        ),
      ],
      { description: 'Who serves the caller.', hint: 'a team, or {by, map, else}' },
    ),
    priority: optional(count(-100, 100, 'Higher is served first; equals by arrival.', { default: 0 })),
    skills: optional(
      Type.Array(
        Type.String({
          pattern: '^[a-z][a-z0-9-]{0,39}$',
          description: 'As agents of the configuration have it.',
          hint: 'the name of a skill',
        }),
        {
          minItems: 1,
          maxItems: 10,
          description: 'What the agent must be able to do, all of it; any agent of the team when absent.',
          hint: 'a list of skills, such as [danish]',
          examples: [['danish']],
        },
      ),
    ),
    music: optional(text('Class of music on hold; `default` when absent.')),
    whisper: optional(prompt('Spoken to the agent before the two are connected.')),
    popup: optional(text("What the agent's screen opens.", { examples: ['${caseNumber}'] })),
    recording: optional(
      Type.Enum(['off', 'consent', 'always'], {
        description: 'Whether the talk is recorded; as the team or the number says when absent.',
        hint: 'off, consent or always',
      }),
    ),
    recordingConsent: optional(
      text('Whether the caller agrees to be recorded: `true`, all else is no. For recordings by consent.', {
        examples: ['${agreed}'],
      }),
    ),
    announce: optional(
      map(
        {
          every: optional(duration('How often.', { default: '45s' })),
          position: optional(yesOrNo('Tell the place in the queue.', { default: false })),
          wait: optional(yesOrNo('Tell the expected wait, where it is known.', { default: false })),
        },
        'Announcements to waiting callers.',
      ),
    ),
    callback: optional(
      map(
        {
          after: optional(duration('How long a caller waits before it is offered.', { default: '2m' })),
          key: Type.String({ pattern: '^[0-9*#]$', description: 'Who presses it is called back.', hint: 'one key' }),
          next: stepName('Where the call goes when the place is kept.'),
        },
        'Callers may hang up and are called back in their turn. Needs a campaign of the team with `queueCallbacks`.',
      ),
    ),
    timeout: optional(duration('How long the caller may wait.', { default: '10m' })),
  },
  'Holds the caller until a person of a team answers. Done when their connection has ended.',
)
