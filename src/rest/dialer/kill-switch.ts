/** The kill switch (F-H4, our addition): one step stops all dialing on all nodes, two steps resume it. */
import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { FIRST_CORPORATION } from '../../kernel/ids.ts'
import type { Answer } from '../http/answer.ts'
import type { RestDependencies } from '../http/dependencies.ts'
import { InstantOut, instantText } from '../http/list-params.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, PLAIN_READ, type Route, route } from '../http/route.ts'

/** Long enough for a second thought, too short for a code that is found in an old log. */
const CONFIRM_WITHIN_MS = 2 * 60_000

const State = Type.Object({
  on: Type.Boolean(),
  by: Type.Union([Type.String(), Type.Null()], {
    description: 'Who changed it last; shown only to the corporation that runs this installation, otherwise null.',
  }),
  ts: InstantOut('When it was last changed.'),
  confirm: Type.Optional(
    Type.String({ description: 'Confirmation code; send it with on: false to lift the kill switch.' }),
  ),
  confirmUntilTs: Type.Optional(InstantOut('When the confirmation code expires.')),
})

const NOT_YOURS = refuse(
  'forbidden',
  'the kill switch stops the calls of all corporations, and belongs to the one that runs the installation; ' +
    'to stop your calls, set active: false in your campaigns',
)

/** Both operations. The switch concerns all corporations, hence only administrators turn it. */
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
    summary: 'Stop all dialing, or resume it',
    description:
      'on: true stops dialing on all nodes at once. on: false returns a confirmation code. Somebody else lifts the ' +
      'kill switch by sending on: false with this code within two minutes. It stops the calls of all corporations: ' +
      'only the corporation that runs the installation turns it.',
    body: Type.Object(
      { on: Type.Boolean(), confirm: Type.Optional(Type.String({ maxLength: 100 })) },
      { additionalProperties: false },
    ),
    answers: { 200: State },
    example: { body: { on: true } },
    async handle({ body, asker }) {
      if (!asker.corporations.includes(FIRST_CORPORATION)) return NOT_YOURS
      if (!body.on)
        return body.confirm === undefined ? askBack(dependencies, asker) : lift(dependencies, asker, body.confirm)
      await dependencies.dialerRepository.setKillSwitch(true, nameOf(asker), dependencies.clock.nowMs())
      dependencies.log.warn({ credential: asker.credential }, 'kill switch on: all dialing stopped')
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
  const isLifted = await dependencies.dialerAdmin.lift(questionOf(dependencies, asker, confirm))
  if (!isLifted) {
    return refuse(
      'conflict',
      'confirm: is not the latest confirmation code of somebody else, or has expired; two persons lift the switch: ' +
        'one sends on: false without confirm, another one sends the code within two minutes',
    )
  }
  dependencies.log.warn({ credential: asker.credential }, 'kill switch off: dialing resumed')
  return { body: await stateOf(dependencies, asker) }
}

function questionOf({ clock }: RestDependencies, asker: Asker, confirm: string) {
  const tokenSha256 = createHash('sha256').update(confirm).digest()
  return { person: nameOf(asker), tokenSha256, atMs: clock.nowMs(), untilAtMs: clock.nowMs() + CONFIRM_WITHIN_MS }
}

/** Only the corporation that runs the installation, and the asker who turned it, see who did (D-04). */
async function stateOf({ dialerAdmin }: RestDependencies, asker: Asker) {
  const { isOn, by, atMs } = await dialerAdmin.killSwitch()
  const isShown = asker.corporations.includes(FIRST_CORPORATION) || by === nameOf(asker)
  return { on: isOn, by: isShown ? by : null, ts: instantText(atMs) }
}

function nameOf({ user, credential }: Asker): string {
  return user?.userName ?? credential
}
