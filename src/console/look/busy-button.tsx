/**
 * A button whose act is under way: it takes no second press, and keeps the focus. One that is switched off loses the
 * focus for good, and where its act is refused, its key does nothing any more (console-36).
 */
import { Button, type ButtonProps, type ElementProps } from '@mantine/core'

interface BusyProps extends Omit<ButtonProps, 'loading'>, ElementProps<'button', keyof ButtonProps> {
  readonly isBusy: boolean
}

/** As the button of the library; what a form does on `submit` must look at the same by itself. */
export function BusyButton({ isBusy, onClick, ...props }: BusyProps) {
  return (
    <Button
      {...props}
      {...(isBusy && { 'data-disabled': true, 'aria-disabled': true })}
      onClick={(event) => {
        if (!isBusy) onClick?.(event)
      }}
    />
  )
}
