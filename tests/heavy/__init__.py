"""Small listings that could cost the translator, or a driver, without bound."""
