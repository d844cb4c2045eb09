"""The drawing surface: pictures painted with Qt, and the gestures that edit a design. Holds no facts of its own."""
