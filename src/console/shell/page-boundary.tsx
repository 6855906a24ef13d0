import { Button, Stack, Text } from '@mantine/core'
import { Component, type ReactNode } from 'react'
import { useTexts } from '../texts/language.tsx'
import { SHELL_TEXTS } from './shell-texts.ts'

interface BoundaryProps {
  /** The path of the page: another page has not failed. */
  readonly place: string
  readonly children: ReactNode
}

/** Keeps rail and top bar alive when a page fails. React knows error boundaries as classes alone. */
export class PageBoundary extends Component<BoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidUpdate(before: BoundaryProps) {
    if (this.state.hasFailed && before.place !== this.props.place) this.setState({ hasFailed: false })
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    // The code of a page that did not arrive is asked for once for each load.
    return <Failed onAgain={() => window.location.reload()} />
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
