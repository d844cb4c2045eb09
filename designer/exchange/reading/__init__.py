"""Networks as other tools' files describe them, read strictly and within limits, and designs made of them."""
