import { Button, Stack, Text } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { useTexts } from '../texts/language.tsx'
import { SHELL_TEXTS } from './shell-texts.ts'

/** Keeps rail and top bar alive when a page fails. React knows error boundaries as classes alone. */
export class PageBoundary extends Component<{ readonly children: ReactNode }, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return <Failed onAgain={() => this.setState({ hasFailed: false })} />
  }
}

function Failed({ onAgain }: { readonly onAgain: () => void }) {
  const texts = useTexts(SHELL_TEXTS)
  return (
    <Stack align="flex-start" p="lg" gap="md">
      <Text role="alert">{texts.broken}</Text>
      <Button onClick={onAgain}>{texts.again}</Button>
    </Stack>
  )
}
