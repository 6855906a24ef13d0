/** The kill switch (F-H4, our addition): one step stops all dialing on all nodes, two steps allow it again. */
import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { FIRST_CORPORATION } from '../../kernel/ids.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { InstantOut, instantText } from '../http/list-params.ts'
import { refuse } from '../http/problem.ts'
import { type Asker, PLAIN_READ, type Route, route } from '../http/route.ts'

/** Long enough to think again, short enough that nobody finds the answer in an old log. */
const CONFIRM_WITHIN_MS = 2 * 60_000

const State = Type.Object({
  on: Type.Boolean(),
  by: Type.Union([Type.String(), Type.Null()], {
    description: 'Who turned it last; null for other corporations than the one that runs the house.',
  }),
  ts: InstantOut('When.'),
  confirm: Type.Optional(Type.String({ description: 'Send it back, with on: false, to lift the kill switch.' })),
  confirmUntilTs: Type.Optional(InstantOut('Then it is too late.')),
})

/** Both operations. They are of all corporations together, hence of administrators alone. */
export function killSwitchRoutes(dependencies: RestDependencies): Route[] {
  const showKillSwitch = route({
    method: 'GET',
    path: '/dialer/killswitch',
    scope: 'dialer:read',
    audit: PLAIN_READ,
    summary: 'Whether all dialing is stopped',
    answers: { 200: State },
    handle: async ({ asker }) => ({ body: await stateOf(dependencies, asker) }),
  })
  const turnKillSwitch = route({
    method: 'PUT',
    path: '/dialer/killswitch',
    scope: 'admin',
    audit: { action: 'change', object: 'killSwitch' },
    summary: 'Stop all dialing, or allow it again',
    description:
      'on: true takes effect at once, on all nodes. on: false is answered with a word to confirm; sent back within ' +
      'two minutes, by the same credential, it lifts the kill switch.',
    body: Type.Object(
      { on: Type.Boolean(), confirm: Type.Optional(Type.String({ maxLength: 100 })) },
      { additionalProperties: false },
    ),
    answers: { 200: State },
    example: { body: { on: true } },
    async handle({ body, asker }) {
      if (!body.on)
        return body.confirm === undefined ? askBack(dependencies, asker) : lift(dependencies, asker, body.confirm)
      await dependencies.dialerRepository.setKillSwitch(true, nameOf(asker), dependencies.clock.nowMs())
      dependencies.log.warn({ credential: asker.credential }, 'the kill switch is on: nobody is dialed')
      return { body: await stateOf(dependencies, asker) }
    },
  })
  return [showKillSwitch, turnKillSwitch]
}

async function askBack(dependencies: RestDependencies, asker: Asker): Promise<Answer> {
  const state = await stateOf(dependencies, asker)
  if (!state.on) return { body: state }
  const confirm = dependencies.secretBytes(18).toString('base64url')
  const question = questionOf(dependencies, asker, confirm)
  await dependencies.dialerAdmin.askToLift(question)
  return { body: { ...state, confirm, confirmUntilTs: instantText(question.untilAtMs) } }
}

async function lift(dependencies: RestDependencies, asker: Asker, confirm: string): Promise<Answer> {
  const isLifted = await dependencies.dialerAdmin.lift(questionOf(dependencies, asker, confirm), nameOf(asker))
  if (!isLifted) {
    return refuse('conflict', 'confirm: is not the newest word, or too old; send on: false without it for another one')
  }
  dependencies.log.warn({ credential: asker.credential }, 'the kill switch is off: dialing goes on')
  return { body: await stateOf(dependencies, asker) }
}

function questionOf({ clock }: RestDependencies, { credential }: Asker, confirm: string) {
  const tokenSha256 = createHash('sha256').update(confirm).digest()
  return { credential, tokenSha256, atMs: clock.nowMs(), untilAtMs: clock.nowMs() + CONFIRM_WITHIN_MS }
}

/** The switch is everybody's, and who turned it is known to those who run the house and to themselves (D-04). */
async function stateOf({ dialerAdmin }: RestDependencies, asker: Asker) {
  const { isOn, by, atMs } = await dialerAdmin.killSwitch()
  const isTold = asker.corporations.includes(FIRST_CORPORATION) || by === nameOf(asker)
  return { on: isOn, by: isTold ? by : null, ts: instantText(atMs) }
}

function nameOf({ user, credential }: Asker): string {
  return user?.userName ?? credential
}
