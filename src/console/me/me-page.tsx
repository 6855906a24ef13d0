/** Who I am, and how this browser shows the console to me. */
import { Paper, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { Appearance } from '../look/appearance.tsx'
import { PRODUCT } from '../look/brand.tsx'
import { askWhoAgain } from '../session/query-client.ts'
import { useSession } from '../session/use-session.ts'
import { LOCALES } from '../texts/catalogue.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { plainText } from '../texts/outside-text.ts'
import { BeepCard } from './beep-card.tsx'
import { LetterKeysCard } from './letter-keys-card.tsx'
import css from './me.module.css'
import { ME_TEXTS } from './me-texts.ts'
import { SecondFactor } from './second-factor.tsx'

/** The page. */
export function MePage() {
  const texts = useTexts(ME_TEXTS)
  useEffect(() => {
    document.title = `${texts.title} – ${PRODUCT}`
  }, [texts])
  return (
    <div className={css.page}>
      <Title order={1}>{texts.title}</Title>
      <Card title={texts.about}>
        <About />
      </Card>
      <Card title={texts.factor}>
        <SecondFactor changed={askWhoAgain} />
      </Card>
      <Card title={texts.appearance}>
        <Appearance />
      </Card>
      <Card title={texts.sound}>
        <BeepCard />
      </Card>
      <Card title={texts.letters}>
        <LetterKeysCard />
      </Card>
    </div>
  )
}

function Card({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Paper component="section" withBorder className={css.card}>
      <h2 className={css.heading}>{title}</h2>
      {children}
    </Paper>
  )
}

function About() {
  const texts = useTexts(ME_TEXTS)
  const { language } = useLanguage()
  const { name, userName, roles, corporation, expiresTs } = useSession()
  const until = new Intl.DateTimeFormat(LOCALES[language], { dateStyle: 'medium', timeStyle: 'short' })
  const facts = [
    { term: texts.name, fact: plainText(name) },
    { term: texts.userName, fact: plainText(userName) },
    { term: texts.roles, fact: roles.map((role) => texts[role]).join(', ') },
    { term: texts.corporation, fact: plainText(corporation.name) },
    { term: texts.until, fact: expiresTs === null ? '–' : until.format(new Date(expiresTs)) },
  ]
  return (
    <dl className={css.facts}>
      {facts.map(({ term, fact }) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>
            <bdi>{fact}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}
