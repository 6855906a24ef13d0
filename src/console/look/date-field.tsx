/**
 * A field for a date. Browsers write dates as their own language has it, and an empty field as `mm/dd/yyyy`: while
 * nobody writes in it, this one shows the date in the language of the page, and nothing where there is none. What was
 * begun and is no date has no value; it stays to be seen, and the field says what is wrong (console-34).
 */
import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'
import { useLanguage, useTexts } from '../texts/language.tsx'
import css from './date-field.module.css'
import { DATE_TEXTS } from './date-texts.ts'
import { writtenDay } from './written-day.ts'

/** `value` as the field has it: 2026-11-28, or nothing. */
export function DateField({ onBlur, onChange, ...props }: TextInputProps & { readonly value: string }) {
  const { language } = useLanguage()
  const { half } = useTexts(DATE_TEXTS)
  const [isHalf, setHalf] = useState(false)
  return (
    <TextInput
      {...props}
      type="date"
      onBlur={(event) => {
        setHalf(isHalfDate(event.currentTarget))
        onBlur?.(event)
      }}
      onChange={(event) => {
        if (!isHalfDate(event.currentTarget)) setHalf(false)
        onChange?.(event)
      }}
      data-half={isHalf || undefined}
      error={isHalf ? half : props.error}
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

/** Whether something stands in the field that is no date: the browser gives it no value. */
export function isHalfDate({ type, validity }: HTMLInputElement): boolean {
  return type === 'date' && validity.badInput
}
