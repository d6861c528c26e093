import { Fragment } from 'preact';
import { keysTexts } from '../texts/keys.ts';
import { Dialog, addDialog } from './dialog.tsx';

let sheet: HTMLDialogElement | null = null;

/** Shows the keys and their actions. */
export function showKeys() {
  sheet ??= addDialog(<Keys />);
  if (!sheet.open) sheet.showModal();
}

function Keys() {
  return (
    <Dialog name="keys" title={keysTexts.title}>
      <dl class="keys">
        {keysTexts.list.map(([keys, effect]) => (
          <Fragment key={effect}>
            <dt>
              {keys.map((key, place) => (
                <Fragment key={key}>
                  {place > 0 && ' '}
                  <kbd>{key}</kbd>
                </Fragment>
              ))}
            </dt>
            <dd>{effect}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  );
}
