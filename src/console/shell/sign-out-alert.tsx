import { useMutationState } from '@tanstack/react-query'
import { SIGN_OUT_KEY } from '../session/use-session.ts'
import { useTexts } from '../texts/language.tsx'
import css from './shell.module.css'
import { SHELL_TEXTS } from './shell-texts.ts'

/** Says that a sign-out failed, wherever it was asked for: who walks away now leaves their session to the next one. */
export function SignOutAlert() {
  const texts = useTexts(SHELL_TEXTS)
  const states = useMutationState({ filters: { mutationKey: SIGN_OUT_KEY }, select: ({ state }) => state.status })
  if (states.at(-1) !== 'error') return null
  return (
    <p role="alert" className={css.alert}>
      {texts.signOutFailed}
    </p>
  )
}
