/**
 * A field for a date. Browsers write dates as their own language has it, and an empty field as `mm/dd/yyyy`: while
 * nobody writes in it, this one shows the date in the language of the page, and nothing where there is none.
 */
import { TextInput, type TextInputProps } from '@mantine/core'
import { useLanguage } from '../texts/language.tsx'
import css from './date-field.module.css'
import { writtenDay } from './written-day.ts'

/** `value` as the field has it: 2026-11-28, or nothing. */
export function DateField(props: TextInputProps & { readonly value: string }) {
  const { language } = useLanguage()
  return (
    <TextInput
      {...props}
      type="date"
      classNames={{ input: css.input }}
      inputContainer={(field) => (
        <div className={css.field}>
          {field}
          <span className={css.written} aria-hidden="true">
            {writtenDay(props.value, language)}
          </span>
        </div>
      )}
    />
  )
}
