/** Sign in with user name and password. Shown at every address to those who have not signed in. */
import { Alert, Button, Paper, Stack, TextInput, Title } from '@mantine/core'
import { type FormEvent, type RefObject, useEffect, useRef } from 'react'
import { SwitchboardProblem } from '../../client/problem.ts'
import { AppearanceButton } from '../look/appearance.tsx'
import { Mark, PRODUCT } from '../look/brand.tsx'
import { useSignIn } from '../session/use-session.ts'
import { fill } from '../texts/catalogue.ts'
import { useTexts } from '../texts/language.tsx'
import css from './login.module.css'
import { LOGIN_TEXTS } from './login-texts.ts'

/** The page. */
export function LoginPage() {
  const texts = useTexts(LOGIN_TEXTS)
  const signIn = useSignIn()
  const password = useRef<HTMLInputElement>(null)
  const failure = signIn.error && reasonOf(signIn.error, texts)
  useEffect(() => {
    document.title = `${texts.title} – ${PRODUCT}`
  }, [texts])
  // The caret waits where the mistake most likely is.
  useEffect(() => {
    if (signIn.error) password.current?.select()
  }, [signIn.error])
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    signIn.mutate({ userName: String(form.get('userName')).trim(), password: String(form.get('password')) })
  }
  return (
    <main className={css.page}>
      <div className={css.corner}>
        <AppearanceButton />
      </div>
      <div className={css.brand}>
        <Mark size={32} />
        <span>{PRODUCT}</span>
      </div>
      <Paper component="section" withBorder p="lg" className={css.card} aria-labelledby="title">
        <form onSubmit={submit}>
          <Stack gap="md">
            <Title order={1} id="title">
              {texts.title}
            </Title>
            {failure && (
              <Alert color="red" variant="outline" role="alert" className={css.failure}>
                {failure}
              </Alert>
            )}
            <Fields password={password} />
            <Button type="submit" fullWidth loading={signIn.isPending}>
              {texts.signIn}
            </Button>
          </Stack>
        </form>
      </Paper>
    </main>
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

type LoginTexts = (typeof LOGIN_TEXTS)['en']

function reasonOf(error: Error, texts: LoginTexts): string {
  if (!(error instanceof SwitchboardProblem)) return texts.other
  const { status, retryAfterMs = 0 } = error
  if (status === 401) return texts.wrong
  if (status === 429) return fill(texts.tooMany, { seconds: Math.max(1, Math.ceil(retryAfterMs / 1_000)) })
  if (status === 403) return texts.needsHttps
  return status === 0 || status === 503 ? texts.unreachable : texts.other
}
