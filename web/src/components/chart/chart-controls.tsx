import { ColumnCursor, type ColumnCursorProps } from './column-cursor.tsx';
import { EventButtons } from './event-buttons.tsx';
import { ZoomSlider } from './zoom-slider.tsx';

/** The controls of a chart for the keyboard: its columns, and the slider for the shown days. */
export function ChartControls(props: ColumnCursorProps) {
  const { spec, geometry, onZoom } = props;
  return (
    <>
      <ColumnCursor {...props} />
      <EventButtons spec={spec} geometry={geometry} />
      {onZoom && (
        <ZoomSlider
          columns={spec.columns}
          nameColumn={spec.nameColumn}
          shown={geometry.shown}
          onZoom={onZoom}
        />
      )}
    </>
  );
}
