/** The second factor of a person: one-time codes of an app (RFC 6238), and codes for whoever has lost it. Ours. */
import { Type } from 'typebox'
import type { UserId } from '../../kernel/ids.ts'
import type { Answer } from '../http/answer.ts'
import { refuse } from '../http/problem-response.ts'
import { type Asker, PLAIN_READ, type Route, route } from '../http/route.ts'
import { appAddress, newRecoveryCodes, newSecret, recoveryHash, stepOf } from './one-time-code.ts'
import { PASSWORD_LENGTH } from './password.ts'
import { type SignOnDependencies, signedOn, withPassword } from './sign-on.ts'

/** Shown by apps beside the code. */
const ISSUER = 'Switchboard'
const PATH = '/core/session/second-factor'
const OBJECT = 'secondFactor'

const Password = Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH.max })
const Code = Type.String({ minLength: 1, maxLength: 32, description: 'The one-time code that the app shows' })

const NOBODY = refuse('forbidden', 'this credential belongs to no person; sign in with a user name')
const IS_ON = refuse('conflict', 'the second factor is on already; turn it off first')
const NOT_BEGUN = refuse('conflict', `nothing waits for a code; begin with POST /rest${PATH}`)
const WRONG = refuse('validation', 'code: this is not the code of now; check the clock of the phone', {
  errors: [{ path: 'code', code: 'wrong', message: 'this is not the code of now; check the clock of the phone' }],
})

/** All operations; each is about the person of the credential, but the last, which is for administrators. */
export function secondFactorRoutes(dependencies: SignOnDependencies): Route[] {
  return [
    readFactor(dependencies),
    beginFactor(dependencies),
    confirmFactor(dependencies),
    endFactor(dependencies),
    resetFactor(dependencies),
  ]
}

function readFactor({ directory }: SignOnDependencies): Route {
  return route({
    method: 'GET',
    path: PATH,
    isForEnrolment: true,
    scope: 'any',
    audit: PLAIN_READ,
    summary: 'Whether signing in takes a one-time code',
    answers: { 200: Type.Object({ on: Type.Boolean(), recoveryCodesLeft: Type.Integer({ description: 'Of ten' }) }) },
    async handle({ asker }) {
      const user = userOf(asker)
      if (user === undefined) return NOBODY
      const factor = await directory.secondFactor(user)
      const isOn = factor?.isOn ?? false
      return { body: { on: isOn, recoveryCodesLeft: isOn ? factor!.recoveryCodesLeft : 0 } }
    },
  })
}

function beginFactor(dependencies: SignOnDependencies): Route {
  return route({
    method: 'POST',
    path: PATH,
    isForEnrolment: true,
    scope: 'any',
    audit: { none: 'nothing is on before a code has confirmed it' },
    rate: 'state',
    summary: 'Begin with a second factor: the secret for the app',
    description: 'It is shown this once. Signing in takes no code before PUT has confirmed it.',
    body: Type.Object({ password: Password }, { additionalProperties: false }),
    answers: {
      200: Type.Object({
        secret: Type.String({ description: 'In Base32, to type into the app' }),
        address: Type.String({ description: 'otpauth://…, to show as a QR code' }),
      }),
    },
    async handle({ body, asker, address }) {
      const { user } = asker
      if (!user) return NOBODY
      const login = { userName: user.userName, password: body.password }
      const answer = await withPassword(dependencies, login, address, async ({ id, userName }) => {
        const secret = newSecret(dependencies.secretBytes)
        const isBegun = await dependencies.directory.beginSecondFactor(id, secret)
        return isBegun ? { body: { secret, address: appAddress(secret, ISSUER, userName) } } : IS_ON
      })
      return stillSignedIn(answer)
    },
  })
}

function confirmFactor({ directory, clock, secretBytes, authenticator }: SignOnDependencies): Route {
  return route({
    method: 'PUT',
    path: PATH,
    isForEnrolment: true,
    scope: 'any',
    audit: { action: 'create', object: OBJECT },
    rate: 'state',
    summary: 'Turn the second factor on with a first code',
    description: 'The recovery codes are shown this once; each serves instead of one one-time code.',
    body: Type.Object({ code: Code }, { additionalProperties: false }),
    answers: { 200: Type.Object({ recoveryCodes: Type.Array(Type.String(), { description: 'Ten' }) }) },
    async handle({ body, asker }) {
      const user = userOf(asker)
      if (user === undefined) return NOBODY
      const begun = await directory.secondFactor(user)
      if (!begun || begun.isOn) return begun ? IS_ON : NOT_BEGUN
      const nowMs = clock.nowMs()
      const step = stepOf(begun.secret, body.code, nowMs)
      if (step === undefined) return WRONG
      const recoveryCodes = newRecoveryCodes(secretBytes)
      const first = { step, recoveryHashes: recoveryCodes.map(recoveryHash), atMs: nowMs }
      const isConfirmed = await directory.confirmSecondFactor(user, first)
      // Whoever owed it goes on at once.
      authenticator.forget()
      return isConfirmed ? { body: { recoveryCodes } } : IS_ON
    },
  })
}

function endFactor(dependencies: SignOnDependencies): Route {
  return route({
    method: 'POST',
    path: `${PATH}/off`,
    scope: 'any',
    audit: { action: 'delete', object: OBJECT },
    rate: 'state',
    summary: 'Turn the second factor off',
    description: 'With the password and a code, as at the sign-in.',
    body: Type.Object({ password: Password, code: Type.Optional(Code) }, { additionalProperties: false }),
    answers: { 200: Type.Object({ ok: Type.Literal(true) }) },
    async handle({ body, asker, address }) {
      const { user } = asker
      if (!user) return NOBODY
      const login = { userName: user.userName, ...body }
      const answer = await signedOn(dependencies, login, address, async ({ id }) => {
        await dependencies.directory.removeSecondFactor(id)
        dependencies.authenticator.forget()
        return { body: { ok: true } }
      })
      return stillSignedIn(answer)
    },
  })
}

function resetFactor({ directory, authenticator }: SignOnDependencies): Route {
  return route({
    method: 'DELETE',
    path: '/core/users/{userName}/second-factor',
    scope: 'admin',
    audit: { action: 'delete', object: OBJECT, by: 'userName' },
    summary: 'Take the second factor of a person away who has lost app and recovery codes',
    params: Type.Object({ userName: Type.String({ minLength: 1, maxLength: 255 }) }),
    answers: { 200: Type.Object({ ok: Type.Literal(true) }) },
    async handle({ params, asker }) {
      const user = await directory.userByName(params.userName)
      const isTheirs = user && asker.corporations.includes(user.corporation.id)
      const isRemoved = isTheirs && (await directory.removeSecondFactor(user.id))
      authenticator.forget()
      return isRemoved ? { body: { ok: true } } : refuse('notFound', 'there is no such user with a second factor')
    },
  })
}

/** Whoever mistypes is not signed out: 401 says that the credential of the request does not count. */
function stillSignedIn(answer: Answer): Answer {
  const { problem } = answer
  if (problem?.kind !== 'unauthorized') return answer
  return refuse('forbidden', problem.detail, problem.errors && { errors: problem.errors })
}

function userOf({ user }: Asker): UserId | undefined {
  return user?.id as UserId | undefined
}
