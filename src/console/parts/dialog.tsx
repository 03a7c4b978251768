import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { StopAllButton } from './stop_all_button.tsx';

/**
 * A modal dialog. Esc closes it where `onClose` is given. The focus moves into the dialog, and back when it closes. STOP
 * ALL is over the one of the top bar, which the dialog disables.
 */
export function Dialog(props: { title: string; onClose: (() => void) | null; children: ComponentChildren }) {
  const { title, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // Closed before removal: otherwise no element would get the focus.
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class="card"
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <h2>{title}</h2>
      {children}
      {onClose === null ? null : (
        <button type="button" class="close" onClick={onClose}>
          Close
        </button>
      )}
      <StopAllButton hasKey />
    </dialog>
  );
}
