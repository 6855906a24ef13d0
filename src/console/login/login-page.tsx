/** Sign in: name, password, and a code where one is needed. Shown at every address to whoever is not signed in. */
import { Alert, Stack, TextInput } from '@mantine/core'
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { SwitchboardProblem } from '../../client/problem.ts'
import { BusyButton } from '../look/busy-button.tsx'
import { useSignIn } from '../session/use-session.ts'
import { Front } from '../shell/front.tsx'
import { fill } from '../texts/catalogue.ts'
import { useTexts } from '../texts/language.tsx'
import css from './login.module.css'
import { LOGIN_TEXTS } from './login-texts.ts'

/** The page. */
export function LoginPage() {
  const texts = useTexts(LOGIN_TEXTS)
  const signIn = useSignIn()
  const password = useRef<HTMLInputElement>(null)
  const [asksCode, setAsksCode] = useState(false)
  const failure = signIn.error ? reasonOf(signIn.error, texts) : undefined
  // The caret waits where the mistake most likely is.
  useEffect(() => {
    if (!signIn.error) return
    if (codeError(signIn.error)) setAsksCode(true)
    else password.current?.select()
  }, [signIn.error])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const code = String(form.get('code') ?? '').trim()
    const login = { userName: String(form.get('userName')).trim(), password: String(form.get('password')) }
    signIn.mutate(code === '' ? login : Object.assign(login, { code }))
  }
  return (
    <Front title={texts.title} cardWidthPx={360}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {failure && (
            <Alert color="red" variant="outline" role="alert" className={css.failure}>
              {failure}
            </Alert>
          )}
          <Fields password={password} />
          {asksCode && <CodeField error={signIn.error} />}
          <BusyButton type="submit" fullWidth isOff={signIn.isPending}>
            {texts.signIn}
          </BusyButton>
        </Stack>
      </form>
    </Front>
  )
}

function Fields({ password }: { readonly password: RefObject<HTMLInputElement | null> }) {
  const texts = useTexts(LOGIN_TEXTS)
  return (
    <>
      <TextInput
        name="userName"
        label={texts.userName}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={255}
        required
        withAsterisk={false}
        autoFocus
      />
      <TextInput
        type="password"
        ref={password}
        name="password"
        label={texts.password}
        autoComplete="current-password"
        maxLength={255}
        required
        withAsterisk={false}
      />
    </>
  )
}

/** Asked for when the password was right, and its owner has a second factor. What was typed before stays. */
function CodeField({ error }: { readonly error: Error | null }) {
  const texts = useTexts(LOGIN_TEXTS)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (error) field.current?.select()
  }, [error])
  return (
    <TextInput
      ref={field}
      name="code"
      label={texts.code}
      description={texts.codeHint}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={32}
      required
      withAsterisk={false}
      autoFocus
    />
  )
}

/** `missing` or `wrong`, where the password was right. */
function codeError(error: Error): string | undefined {
  const [wrong] = error instanceof SwitchboardProblem ? error.errors : []
  return wrong?.path === 'code' ? wrong.code : undefined
}

type LoginTexts = (typeof LOGIN_TEXTS)['en']

function reasonOf(error: Error, texts: LoginTexts): string | undefined {
  if (!(error instanceof SwitchboardProblem)) return texts.other
  const { status, retryAfterMs = 0 } = error
  const code = codeError(error)
  if (code !== undefined) return code === 'missing' ? undefined : texts.wrongCode
  if (status === 401) return texts.wrong
  if (status === 429) return fill(texts.tooMany, { seconds: Math.max(1, Math.ceil(retryAfterMs / 1_000)) })
  if (status === 403) return texts.needsHttps
  return status === 0 || status === 503 ? texts.unreachable : texts.other
}
