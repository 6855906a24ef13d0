/** What somebody sees who may open no page yet: the mark of the product, and one card in the middle of the window. */
import { Paper, Stack, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { AppearanceButton } from '../look/appearance.tsx'
import { Mark, PRODUCT } from '../look/brand.tsx'
import css from './front.module.css'

interface FrontProps {
  /** Of the card, and of the window. */
  readonly title: string
  readonly cardWidthPx: number
  readonly children: ReactNode
  /** What stands below the card. */
  readonly below?: ReactNode
}

/** The whole window. */
export function Front({ title, cardWidthPx, children, below }: FrontProps) {
  useEffect(() => {
    document.title = `${title} – ${PRODUCT}`
  }, [title])
  return (
    <main className={css.page}>
      <div className={css.corner}>
        <AppearanceButton />
      </div>
      <div className={css.brand}>
        <Mark size={32} />
        <span>{PRODUCT}</span>
      </div>
      <Paper component="section" withBorder p="lg" maw={cardWidthPx} className={css.card} aria-labelledby="title">
        <Stack gap="md">
          <Title order={1} id="title">
            {title}
          </Title>
          {children}
        </Stack>
      </Paper>
      {below}
    </main>
  )
}
